import { describe, expect, it } from 'vitest';
import { newAccount, type Account } from './store.ts';
import { beganAt, factorId, userJson } from './user-json.ts';

const ACCOUNT: Account = newAccount({
  email: 'ada@example.com',
  passwordHash: 'the hash',
  metadata: { name: 'Ada' },
  confirmed: false,
  now: 1_000,
  id: 'ada',
});
const at = (second: number): string => `1970-01-01T00:00:0${second}.000Z`;
const ALWAYS = {
  id: 'ada',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@example.com',
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'], has_password: true },
  is_anonymous: false,
  created_at: at(1),
};
const metadata = { sub: 'ada', email: 'ada@example.com', phone_verified: false };
const identity = {
  identity_id: expect.stringMatching(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
  ),
  id: 'ada',
  user_id: 'ada',
  provider: 'email',
  email: 'ada@example.com',
  created_at: at(1),
};

describe('userJson', () => {
  it('a new account has no member for what has not happened yet', () => {
    expect(userJson(ACCOUNT)).toEqual({
      ...ALWAYS,
      updated_at: at(1),
      user_metadata: { name: 'Ada', ...metadata, email_verified: false },
      identities: [
        {
          ...identity,
          identity_data: { ...metadata, email_verified: false },
          last_sign_in_at: at(1),
          updated_at: at(1),
        },
      ],
    });
  });

  it('every time of an account has its own member, and no hash has one', () => {
    const account = {
      ...ACCOUNT,
      updated_at: 2_000,
      email_confirmed_at: 3_000,
      confirmation_sent_at: 4_000,
      recovery_sent_at: 5_000,
      last_sign_in_at: 6_000,
      banned_until: 7_000,
      proven_at: 8_000,
      password_hash: null,
      sign_up_secret_hash: 'a hash',
      totp_secret: 'a secret',
      totp_confirmed_at: 9_000,
      user_metadata: '[]',
    };
    expect(userJson(account)).toEqual({
      ...ALWAYS,
      app_metadata: { ...ALWAYS.app_metadata, has_password: false },
      updated_at: at(2),
      email_confirmed_at: at(3),
      confirmed_at: at(3),
      confirmation_sent_at: at(4),
      recovery_sent_at: at(5),
      last_sign_in_at: at(6),
      banned_until: at(7),
      user_metadata: {},
      identities: [
        {
          ...identity,
          identity_data: { ...metadata, email_verified: true },
          last_sign_in_at: at(6),
          updated_at: at(2),
        },
      ],
      factors: [
        {
          id: factorId('ada'),
          friendly_name: '',
          factor_type: 'totp',
          status: 'verified',
          created_at: at(9),
          updated_at: at(9),
        },
      ],
    });
  });

  it('names how the session began, whatever its owner has proven since', () => {
    const session = { amr: '[{"method":"webauthn"},{"method":"oauth"},{"method":"password"}]' };
    const { app_metadata } = userJson(ACCOUNT, session);
    expect(app_metadata).toEqual({ ...ALWAYS.app_metadata, passkey: true });
    expect(beganAt(session)).toBe('webauthn');
    const atProvider = userJson(ACCOUNT, { amr: '[{"method":"oauth"},{"method":"webauthn"}]' });
    expect(atProvider['app_metadata']).toEqual({ ...ALWAYS.app_metadata, sso: true });
    expect(beganAt({ amr: '[{"method":"totp"}]' })).toBeNull();
  });
});
