import * as fc from 'fast-check';
import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { checkAlias, cryptoBytes, newCode, type RandomBytes } from './codes.ts';
import { shorten } from './shorten.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('100,000 codes: 7 characters of base 62, no duplicate, every character equally often (chi-square)', () => {
  const codes = new Set<string>();
  const counts = new Map<string, number>();
  for (let i = 0; i < 100_000; i += 1) {
    const code = newCode(cryptoBytes);
    expect(code).toMatch(/^[0-9A-Za-z]{7}$/);
    codes.add(code);
    for (const char of code) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  // The chance of even one duplicate among 100,000 of 62^7 is 0.14 %.
  expect(codes.size).toBeGreaterThanOrEqual(99_999);
  expect(counts.size).toBe(62);
  const expected = 700_000 / 62;
  const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: above 130 once in a million runs; a plain `byte % 62` gives some 8,000.
  expect(chi).toBeLessThan(130);
});

/** Gives these bytes one after the other, again and again. */
function fixed(...values: number[]): RandomBytes {
  let at = 0;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = values[at++ % values.length] ?? 0;
  };
}
const bytesOf = (code: string): number[] => Array.from(code, (char) => BASE62.indexOf(char));

test('bytes that would favour some characters are thrown away', () => {
  expect(newCode(fixed(255, 248, 0, 61, 62, 247, 1, 2, 3))).toBe('0z0z123');
});

test('a code that is a reserved word is drawn again', () => {
  expect(newCode(fixed(...bytesOf('pricing'), ...bytesOf('PRICING'), ...bytesOf('fineOne')))).toBe('fineOne');
});

test('a code that is taken is drawn again inside the server, and only the link that came about is counted', async () => {
  const db = openDb(env.DB);
  const maker = { network: 'test', site: '', secret: 'test' };
  const policy = { ownHosts: [], shorteners: new Set<string>() };
  const input = { longUrl: 'https://example.com', alias: null, expiresAt: null };
  const now = Date.now();
  // A code has 14 random bytes at hand and uses 7.
  const draw = (...codes: string[]) => fixed(...bytesOf(codes.map((code) => code + code).join('')));
  expect(await shorten(db, input, maker, policy, now, draw('AAAAAAA'))).toMatchObject({ ok: true, code: 'AAAAAAA' });
  expect(await shorten(db, input, maker, policy, now, draw('AAAAAAA', 'AAAAAAA', 'aaaaaaa'))).toMatchObject({
    ok: true,
    code: 'aaaaaaa',
  });
  expect(await shorten(db, input, maker, policy, now, draw('AAAAAAA'))).toMatchObject({ ok: false, reason: 'no_free_code' });
  expect(await env.DB.prepare('SELECT count FROM counters').first('count')).toBe(2);
  expect(await env.DB.prepare('SELECT count(*) AS n FROM links').first('n')).toBe(2);
});

test('an alias is refused, never changed: any text that is accepted is 1 to 20 of the allowed characters', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 24 }), fc.stringMatching(/^[\w-]{0,24}$/)), (alias) => {
      const check = checkAlias(alias);
      if (check.ok) expect(alias).toMatch(/^[A-Za-z0-9-][A-Za-z0-9_-]{0,19}$/);
      else if (check.reason === 'invalid_alias') expect(/^[A-Za-z0-9_-]{1,20}$/.test(alias)).toBe(false);
    }),
    { numRuns: 3000 },
  );
  expect(checkAlias('a\n').ok).toBe(false);
});
