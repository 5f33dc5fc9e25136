import { describe, expect, it } from 'vitest';
import { EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import list from './common-passwords.json';
import { hasCommonPassword } from './common-passwords.ts';
import { describeProblem } from '#worker/auth/service/problems.ts';
import { passwordMin } from '#worker/auth/service/settings.ts';
import { lengthProblem, passwordProblem } from './password-policy.ts';

const EMAIL = 'ann.example@acme.example';
const reasonOf = async (password: string, min = 6) =>
  (await passwordProblem(password, EMAIL, min))?.reason ?? null;

describe('the rule for new passwords', () => {
  it.each([
    ['12345', 'password_too_short'],
    ['password', 'password_common'],
    ['PassWord', 'password_common'],
    ['qwerty123', 'password_common'],
    [EMAIL, 'password_is_address'],
    ['Ann.Example', 'password_is_address'],
    ['ann.example@', null],
    ['correct horse', null],
  ])('the answer to “%s” is %s', async (password, reason) => {
    expect(await reasonOf(password)).toBe(reason);
  });

  it('asks for as many characters as the setting says, and says so', async () => {
    const problem = await passwordProblem('correct hors', EMAIL, 13);
    expect(problem && describeProblem(problem).message).toBe(
      'Password should be at least 13 characters.',
    );
    expect(await reasonOf('correct horse', 13)).toBeNull();
  });

  it('counts the length in bytes', () => {
    expect(lengthProblem('', 6)?.reason).toBe('password_empty');
    expect(lengthProblem('üüü', 6)).toBeNull();
    expect(lengthProblem('ü'.repeat(36), 6)).toBeNull();
    expect(lengthProblem(`${'ü'.repeat(36)}x`, 6)?.reason).toBe('password_too_long');
  });

  it.each([
    ['', 6],
    ['long', 6],
    ['4', 6],
    ['12', 12],
    ['200', 64],
  ])('the setting “%s” acts as %i', (value, min) => {
    expect(passwordMin({ PASSWORD_MIN_LENGTH: value })).toBe(min);
  });

  it('knows 10,000 common passwords', () => {
    expect(list.entries.split(' ')).toHaveLength(10_000);
    expect(['123456', 'zzzxxx', 'dragon'].map(hasCommonPassword)).toEqual([true, true, true]);
    expect(['1234', 'dragons and horses'].map(hasCommonPassword)).toEqual([false, false]);
  });
});

describe('a weak password', () => {
  const LONG = { ...EMBEDDED, AUTH_AUTOCONFIRM: 'on', PASSWORD_MIN_LENGTH: '12' };
  const address = () => `${crypto.randomUUID().slice(0, 8)}@example.com`;

  it('[T24] a weak password is refused at sign-up, with the client’s reasons', async () => {
    const { auth } = tab(LONG);
    const email = address();
    for (const [password, reason] of [
      ['correct hors', null],
      ['horse', 'length'],
      ['123456654321', 'pwned'],
      [email, 'pwned'],
    ] as const) {
      const { data, error } = await auth.signUp({
        email: reason === null ? address() : email,
        password,
      });
      expect(data.session === null).toBe(reason !== null);
      expect(error).toEqual(
        reason === null
          ? null
          : expect.objectContaining({ code: 'weak_password', reasons: [reason] }),
      );
    }
  });

  it('[T24] a weak password is refused in a change, and one from before signs in', async () => {
    const owner = await signInEmbedded({ password: 'password1' });
    const { auth } = tab(EMBEDDED);
    const { data, error } = await auth.signInWithPassword(owner);
    expect(error).toBeNull();
    expect(data.weakPassword).toMatchObject({ reasons: ['pwned'] });
    const change = await auth.updateUser({ password: 'letmein', current_password: 'password1' });
    expect(change.error).toMatchObject({ code: 'weak_password' });
  });
});
