import { assert, nat, property, uuid } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyRefreshToken, signRefreshToken } from './refresh-token.ts';

const SECRET = 'a secret of this test';
describe('refresh tokens', () => {
  it('verifies what it signed, with the same secret only', () => {
    assert(
      property(uuid(), nat(0x7fff_ffff), (sessionId, counter) => {
        const token = signRefreshToken(SECRET, sessionId, counter);
        expect(verifyRefreshToken(SECRET, token)).toEqual({ sessionId, counter });
        expect(verifyRefreshToken('another secret', token)).toBeNull();
      }),
    );
  });

  it('rejects a token with a changed character', () => {
    const token = signRefreshToken(SECRET, 'b6a3b6a0-2f59-4d0e-8d7e-0c8a4a1b2c3d', 300);
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      const verified = verifyRefreshToken(SECRET, changed);
      // The last character of base64url may contain unused bits.
      if (verified !== null) expect([i, verified.counter]).toEqual([token.length - 1, 300]);
    }
  });
});
