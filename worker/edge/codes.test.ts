import * as fc from 'fast-check';
import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDraft } from '#worker/testing/link-drafts.ts';
import { openDb } from '#worker/db/client.ts';
import { checkAlias, cryptoRandom, newCode, type RandomSource } from './codes.ts';
import { shorten } from '#worker/links/write/shorten.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bytesOf = (code: string): number[] => Array.from(code, (char) => BASE62.indexOf(char));

/** A random source that repeats these bytes. */
function sequence(...values: number[]): RandomSource {
  let at = 0;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = values[at++ % values.length] ?? 0;
  };
}

describe('newCode', () => {
  it('[T14] makes 7 characters of base 62 without a duplicate in 2,000 codes', () => {
    const codes = new Set(Array.from({ length: 2000 }, () => newCode(cryptoRandom)));
    for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]{7}$/);
    // The chance of one duplicate among 2,000 of 62^7 codes is below one in a million.
    expect(codes.size).toBe(2000);
  });

  it('[T14] makes every character from equally many byte values', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 248; byte += 1) {
      const code = newCode(sequence(byte));
      expect(code).toBe(code.charAt(0).repeat(7));
      counts.set(code.charAt(0), (counts.get(code.charAt(0)) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(Array.from(BASE62, (char) => [char, 4])),
    );
  });

  it('[T14] skips the bytes that would favor some characters', () => {
    expect(newCode(sequence(255, 248, 0, 61, 62, 247, 1, 2, 3))).toBe('0z0z123');
  });

  it('[T13] skips a code that is a reserved word', () => {
    expect(
      newCode(sequence(...bytesOf('pricing'), ...bytesOf('PRICING'), ...bytesOf('fineOne'))),
    ).toBe('fineOne');
  });
});

describe('[T14] a generated code that is taken', () => {
  const db = openDb(env.DB);
  const draft = makeDraft();
  const creator = { network: 'test', site: '2001:db8::/48', secret: 'test' };
  /** `newCode` reads 14 random bytes at a time and uses 7 of them. */
  const draw = (...codes: string[]) => {
    const random = sequence(...bytesOf(codes.map((code) => code + code).join('')));
    return shorten(db, draft, { creator, reputation: null, now: Date.now(), random });
  };
  const counted = async () =>
    (await env.DB.prepare('SELECT count FROM counters').all<{ count: number }>()).results;

  beforeAll(async () => {
    expect(await draw('AAAAAAA')).toMatchObject({ ok: true, code: 'AAAAAAA' });
  });

  it('[T14] the server replaces a taken generated code and counts only the inserted link', async () => {
    expect(await draw('AAAAAAA', 'AAAAAAA', 'aaaaaaa')).toMatchObject({
      ok: true,
      code: 'aaaaaaa',
    });
    expect(await counted()).toEqual([{ count: 2 }, { count: 2 }]);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM links').first('n')).toBe(2);
  });

  it('fails after five attempts and counts nothing', async () => {
    const before = await counted();
    expect(await draw('AAAAAAA')).toMatchObject({ ok: false, reason: 'no_free_code' });
    expect(await counted()).toEqual(before);
  });
});

describe('checkAlias', () => {
  it('[T29] accepts 1 to 20 of the allowed characters and rejects everything else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 24 }), fc.stringMatching(/^[\w-]{0,24}$/)),
        (alias) => {
          const check = checkAlias(alias);
          if (check.ok) expect(alias).toMatch(/^[A-Za-z0-9-][A-Za-z0-9_-]{0,19}$/);
          else if (check.reason === 'invalid_alias')
            expect(/^[A-Za-z0-9_-]{1,20}$/.test(alias)).toBe(false);
        },
      ),
      { numRuns: 500, seed: 1 },
    );
    for (const alias of ['a\n', '', 'a b', 'a'.repeat(21)])
      expect(checkAlias(alias)).toMatchObject({ reason: 'invalid_alias' });
    for (const alias of ['a', 'a'.repeat(20), 'A-b_9'])
      expect(checkAlias(alias)).toEqual({ ok: true });
  });
});
