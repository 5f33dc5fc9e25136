import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import {
  insertAccount,
  insertSession,
  newAccount,
  replacePassword,
  type Account,
  type PasswordReplacement,
  type SessionRow,
} from './store.ts';

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

const SESSION: SessionRow = {
  id: 'own',
  user_id: 'ada',
  counter: 0,
  refreshed_at: 1,
  amr: '[]',
  created_at: 1,
  not_after: null,
  browser: null,
  os: null,
  country: null,
  notice_hash: null,
};

describe('insertSession', () => {
  it('only the 20 newest sign-ins of an account wait for its second factor', async () => {
    await insertAccount(db, accountOf({ totp_confirmed_at: 1 }));
    await db.delete(auth_pending_sign_ins);
    const begin = (created_at: number, user_id = 'ada') => ({
      ...SESSION,
      id: `${user_id} ${created_at}`,
      user_id,
      created_at,
      expires_at: 99 - created_at,
    });
    const times = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const waiting of [begin(0, 'bob'), ...times.map((time) => begin(time))])
      await db.insert(auth_pending_sign_ins).values(waiting);
    const { expires_at: _, ...next } = begin(21);
    expect(await insertSession(db, next, 'first', { updated_at: 3 })).toMatchObject({
      id: 'ada',
      updated_at: 3,
    });
    const rows = await db.select().from(auth_pending_sign_ins);
    expect(rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['bob 0', 'ada 2', 'ada 20', 'ada 21']),
    );
    expect(rows).toHaveLength(21);
    expect(await db.$count(auth_sessions, eq(auth_sessions.id, next.id))).toBe(0);
  });
});

describe('replacePassword', () => {
  const token = { user_id: 'ada', code_hash: '', expires_at: 9 };
  const replace = (change: Partial<PasswordReplacement> = {}) =>
    replacePassword(db, {
      session: SESSION,
      oldHash: 'first',
      columns: { password_hash: 'second', updated_at: 2 },
      notice: { ...token, kind: 'secure', token_hash: 'notice' },
      now: 100,
      ...change,
    });
  const stored = async () => {
    const sessions = await db.select({ id: auth_sessions.id }).from(auth_sessions);
    const tokens = await db
      .select({ hash: auth_one_time_tokens.token_hash })
      .from(auth_one_time_tokens);
    const [account] = await db.select().from(auth_users);
    return {
      account,
      sessions: sessions.map(({ id }) => id).toSorted(),
      tokens: tokens.map(({ hash }) => hash).toSorted(),
    };
  };
  beforeEach(async () => {
    await db.delete(auth_sessions);
    await db.delete(auth_one_time_tokens);
    await insertAccount(db, accountOf({ banned_until: 100 }));
    await db
      .insert(auth_sessions)
      .values([
        SESSION,
        { ...SESSION, id: 'other' },
        { ...SESSION, id: 'foreign', user_id: 'bob' },
      ]);
    await db.insert(auth_one_time_tokens).values([
      { ...token, kind: 'recovery', token_hash: 'recovery' },
      { ...token, kind: 'secure', token_hash: 'last notice' },
      { ...token, kind: 'recovery', token_hash: 'foreign', user_id: 'bob' },
    ]);
  });

  it('ends the other sessions and links of the account, and stores the notice', async () => {
    const account = accountOf({ banned_until: 100, password_hash: 'second', updated_at: 2 });
    expect(await replace()).toEqual(account);
    expect(await stored()).toEqual({
      account,
      sessions: ['foreign', 'own'],
      tokens: ['foreign', 'notice'],
    });
  });

  it.each<[string, Partial<PasswordReplacement>]>([
    ['another password is stored', { oldHash: 'another' }],
    ['a password is stored, and none was', { oldHash: null }],
    ['the session has ended', { session: { ...SESSION, id: 'ended' } }],
    ['the account is suspended', { now: 99 }],
  ])('changes nothing if %s', async (_, change) => {
    const before = await stored();
    expect(await replace(change)).toBeUndefined();
    expect(await stored()).toEqual(before);
  });
});
