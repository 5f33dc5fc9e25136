import { describe, expect, it } from 'vitest';
import { comparePassword, hashPassword } from './password.ts';
import { SCRYPT as DEPLOYED } from './scrypt-params.ts';

describe('password hashes', () => {
  it('[T24] uses scrypt with N=2^14, r=8 and p=5', async () => {
    expect(await hashPassword('correct horse', DEPLOYED)).toMatch(
      /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('compares with the parameters of the hash', async () => {
    const hash = await hashPassword('correct horse', { ln: 8, r: 4, p: 2 });
    expect(await comparePassword('correct horse', hash, { params: { ln: 8, r: 4, p: 2 } })).toEqual(
      {
        matches: true,
        isStale: false,
      },
    );
    expect(await comparePassword('wrong horse', hash, { params: { ln: 8, r: 4, p: 2 } })).toEqual({
      matches: false,
      isStale: false,
    });
    for (const today of [
      { ln: 9, r: 4, p: 2 },
      { ln: 8, r: 5, p: 2 },
      { ln: 8, r: 4, p: 1 },
    ])
      expect(await comparePassword('correct horse', hash, { params: today })).toEqual({
        matches: true,
        isStale: true,
      });
  });

  it('[T16] a sign-in without a stored hash takes the work of a whole hash', async () => {
    const start = Date.now();
    expect(await comparePassword('wrong horse', null, { params: DEPLOYED })).toEqual({
      matches: false,
      isStale: false,
    });
    // A lower bound, which a busy machine cannot break. Without the hash this takes less than 1 ms.
    expect(Date.now() - start).toBeGreaterThanOrEqual(15);
  });

  it('[T16] a stored hash that cannot be read never matches', async () => {
    for (const stored of [
      '',
      'correct horse',
      '$scrypt$ln=8,r=4,p=2$$',
      '$2a$10$abcdefghijklmnopqrstuv',
    ])
      expect(
        await comparePassword('correct horse', stored, { params: { ln: 8, r: 4, p: 2 } }),
      ).toEqual({
        matches: false,
        isStale: false,
      });
  });
});
