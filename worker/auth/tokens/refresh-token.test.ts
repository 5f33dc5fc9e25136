import { assert, nat, property, uuid } from 'fast-check';
import { expect, test } from 'vitest';
import { openRefreshToken, sealRefreshToken } from './refresh-token.ts';

const SECRET = 'a secret of this test';

test('what is sealed opens again, and only with the same secret', () => {
  assert(
    property(uuid(), nat(0x7fff_ffff), (sessionId, counter) => {
      const token = sealRefreshToken(SECRET, sessionId, counter);
      expect(openRefreshToken(SECRET, token)).toEqual({ sessionId, counter });
      expect(openRefreshToken('another secret', token)).toBeNull();
    }),
  );
});

test('no changed character opens', () => {
  const token = sealRefreshToken(SECRET, 'b6a3b6a0-2f59-4d0e-8d7e-0c8a4a1b2c3d', 300);
  for (let i = 0; i < token.length; i += 1) {
    const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
    const opened = openRefreshToken(SECRET, changed);
    // The last character of base64url may hold bits that mean nothing.
    if (opened !== null) expect([i, opened.counter]).toEqual([token.length - 1, 300]);
  }
});
