import { describe, expect, it } from 'vitest';
import { checkPassword, hashPassword } from './password.ts';
import { SCRYPT as DEPLOYED } from './scrypt-params.ts';

describe('a deployed hash', () => {
  it('is scrypt with N=2^14, r=8 and p=5', async () => {
    expect(await hashPassword('correct horse', DEPLOYED)).toMatch(
      /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('is checked with its own parameters', async () => {
    const hash = await hashPassword('correct horse', DEPLOYED);
    expect(await checkPassword('correct horse', hash, DEPLOYED)).toEqual({ right: true, stale: false });
    expect(await checkPassword('wrong horse', hash, DEPLOYED)).toEqual({ right: false, stale: false });
    expect(await checkPassword('correct horse', hash)).toEqual({ right: true, stale: true });
  });
});
