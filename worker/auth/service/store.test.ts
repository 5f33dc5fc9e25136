import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { auth_users } from '#worker/db/schema-auth.ts';
import { insertAccount, newAccount, type Account } from './store.ts';

const db = openDb(env.DB);
const accountOf = (columns: Partial<Account>): Account => ({
  ...newAccount({
    email: 'ada@example.com',
    passwordHash: 'first',
    metadata: {},
    confirmed: false,
    now: 1,
    id: 'ada',
  }),
  sign_up_secret_hash: 'the secret of this browser',
  ...columns,
});
const AGAIN = accountOf({
  id: 'another',
  password_hash: 'second',
  user_metadata: '{"name":"Eve"}',
  created_at: 2,
  updated_at: 2,
});

beforeEach(async () => {
  await db.delete(auth_users);
});

describe('insertAccount', () => {
  it('the browser that signed up corrects its password, and nothing else', async () => {
    await insertAccount(db, accountOf({}));
    expect(await insertAccount(db, AGAIN)).toBeUndefined();
    expect(await db.select().from(auth_users)).toEqual([
      accountOf({ password_hash: 'second', updated_at: 2 }),
    ]);
  });

  it.each<Partial<Account>>([
    { sign_up_secret_hash: 'the secret of another browser' },
    { sign_up_secret_hash: null },
    { email_confirmed_at: 1 },
    { proven_at: 1 },
  ])('a second sign-up changes nothing of an account with %o', async (columns) => {
    await insertAccount(db, accountOf(columns));
    expect(await insertAccount(db, AGAIN)).toBeUndefined();
    expect(await db.select().from(auth_users)).toEqual([accountOf(columns)]);
  });

  it('two browsers without a secret are not the same browser', async () => {
    await insertAccount(db, accountOf({ sign_up_secret_hash: null }));
    await insertAccount(db, { ...AGAIN, sign_up_secret_hash: null });
    expect(await db.select().from(auth_users)).toMatchObject([{ password_hash: 'first' }]);
  });
});
