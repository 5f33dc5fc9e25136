import { env } from 'cloudflare:test';
import { sql, type SQL } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';
import { createAuthContext } from '#worker/auth/service/context.ts';
import { endSessions } from '#worker/auth/service/end-sessions.ts';
import {
  advanceSession,
  insertSession,
  newAccount,
  type Account,
  type SessionRow,
} from '#worker/auth/service/store.ts';
import { signAccessToken } from '#worker/auth/tokens/access-token.ts';
import { signRefreshToken } from '#worker/auth/tokens/refresh-token.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_pending_sign_ins, auth_sessions, auth_users } from '#worker/db/schema-auth.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { listSessions } from './own-sessions.ts';
import { reauthenticate } from './reauthenticate.ts';
import { callerHolds, readSessionState, sessionHolds } from './session-state.ts';
import { authenticate, refreshSession, startPasswordSession } from './sessions.ts';

const db = openDb(env.DB);
const START = 1_000_000;
const MAX_MS = 90 * DAY_MS;
const USER_ID = crypto.randomUUID();
const SESSION_ID = crypto.randomUUID();
const contextAt = (now: number) =>
  createAuthContext({ ...env, ...EMBEDDED }, db, new Request(ORIGIN), now);
const ACCOUNT: Account = newAccount({
  email: 'ada@example.com',
  passwordHash: 'the hash',
  metadata: {},
  confirmed: true,
  now: 1,
  id: USER_ID,
});
const SESSION: SessionRow = {
  id: SESSION_ID,
  user_id: USER_ID,
  counter: 0,
  refreshed_at: START,
  amr: JSON.stringify([{ method: 'otp', timestamp: START / 1000 }]),
  created_at: START,
  not_after: null,
  browser: null,
  os: null,
  country: null,
  notice_hash: null,
};
const isTrue = async (condition: SQL) =>
  (await db.get<{ yes: number }>(sql`select ${condition} as yes`)).yes === 1;

beforeEach(async () => {
  await db.delete(auth_users);
  await db.delete(auth_sessions);
  await env.DB.prepare('DELETE FROM users').run();
  await db.insert(auth_users).values(ACCOUNT);
  await db.insert(auth_sessions).values(SESSION);
  await env.DB.prepare(
    `INSERT INTO users (id, email, role, created_at, last_seen_at) VALUES (?1, '', 'user', 1, 1)`,
  )
    .bind(USER_ID)
    .run();
});

/** Every place that decides whether a session works. Each returns true while it does. */
const SESSION_CHECKS: Record<string, (now: number) => Promise<boolean>> = {
  'a request of the sign-in service': async (now) => {
    const context = contextAt(now);
    const { secret, issuer } = context.settings;
    const { token } = await signAccessToken(db, { secret, issuer, now }, ACCOUNT, SESSION);
    return (await authenticate(context, `Bearer ${token}`)).ok;
  },
  'a request of the API': async (now) =>
    (await readSessionState(db, { userId: USER_ID, sessionId: SESSION_ID }, MAX_MS, now)).isActive,
  'a write of the sign-in service': (now) => isTrue(sessionHolds(USER_ID, SESSION_ID, MAX_MS, now)),
  'a write of the API': (now) =>
    isTrue(callerHolds({ id: USER_ID, role: 'user', sessionId: SESSION_ID }, MAX_MS, now)),
  'a refresh': async (now) => {
    const context = contextAt(now);
    const token = signRefreshToken(context.settings.secret, SESSION_ID, 0);
    return (await refreshSession(context, token)).ok;
  },
};

const EVERYWHERE = Object.entries({
  ...SESSION_CHECKS,
  'the list of sessions': async (now: number) =>
    (await listSessions(db, { id: USER_ID, sessionId: '' }, MAX_MS, now)).length > 0,
  'the job that deletes sessions': async (now: number) => {
    await deleteExpiredSignInData(env, now);
    return (await db.select().from(auth_sessions)).length > 0;
  },
});

describe('the end of a session', () => {
  it.each(EVERYWHERE)('a session lasts 90 days to the millisecond for %s', async (_, works) => {
    expect([await works(START + MAX_MS - 1), await works(START + MAX_MS)]).toEqual([true, false]);
  });

  it.each(EVERYWHERE)(
    'a session of the provider ends in its millisecond for %s',
    async (_, ends) => {
      const end = START + MINUTE_MS;
      await db.update(auth_sessions).set({ not_after: end });
      expect([await ends(end - 1), await ends(end)]).toEqual([true, false]);
    },
  );

  it.each([
    ['local', ['foreign', 'other', 'told'], 1],
    ['others', ['foreign', SESSION_ID], 0],
    ['global', ['foreign'], 0],
  ] as const)('ends the %s sessions, and keeps those of a notice', async (scope, live, waiting) => {
    const notice_hash = 'h';
    await db.insert(auth_sessions).values([
      { ...SESSION, id: 'other' },
      { ...SESSION, id: 'told', notice_hash: 'i' },
      { ...SESSION, id: 'ended', notice_hash, not_after: START - 1 },
      { ...SESSION, id: 'foreign', user_id: 'bob' },
    ]);
    const pending = { ...SESSION, id: 'pending', expires_at: START + 9 };
    await db.delete(auth_pending_sign_ins);
    await db.insert(auth_pending_sign_ins).values(pending);
    expect(await endSessions(db, SESSION, scope, START + 5)).toBe(true);
    const rows = await db.select().from(auth_sessions);
    const ends = new Map(rows.map(({ id, not_after }) => [id, not_after]));
    const isLive = (id: string) => ends.get(id) === null;
    expect([...ends.keys()].filter(isLive).toSorted()).toEqual([...live].toSorted());
    expect([ends.get('ended'), ends.get('told')]).toEqual([
      START - 1,
      scope === 'local' ? null : START + 5,
    ]);
    expect(await db.$count(auth_pending_sign_ins)).toBe(waiting);
  });
});

describe('a suspension until a given time', () => {
  const UNTIL = START + MINUTE_MS;
  it.each([
    ...Object.entries(SESSION_CHECKS),
    [
      'a sign-in',
      async (now: number) =>
        (
          await startPasswordSession(
            contextAt(now),
            { ...ACCOUNT, banned_until: UNTIL },
            'the hash',
          )
        ).ok,
    ],
    [
      'the statement that inserts a session',
      async (created_at: number) =>
        (await insertSession(db, { ...SESSION, id: crypto.randomUUID(), created_at }, 'the hash', {
          updated_at: 1,
        })) !== undefined,
    ],
    [
      'the statement that refreshes a session',
      async (now: number) => (await advanceSession(db, SESSION_ID, 0, now)) !== undefined,
    ],
  ] as const)('a suspension ends in its millisecond for %s', async (_, works) => {
    await db.update(auth_users).set({ banned_until: UNTIL });
    expect([await works(UNTIL - 1), await works(UNTIL)]).toEqual([false, true]);
  });
});

describe('listSessions', () => {
  it('lists the caller’s session, then the most recently used, then by id', async () => {
    await db.delete(auth_sessions);
    for (const [id, created_at, refreshed_at] of [
      ['used first', START + 9, START + 10],
      ['caller', START + 2, START + 11],
      ['z used last', START, START + 20],
      ['a used last', START + 1, START + 20],
    ] as const)
      await db.insert(auth_sessions).values({ ...SESSION, id, created_at, refreshed_at });
    const listed = await listSessions(db, { id: USER_ID, sessionId: 'caller' }, MAX_MS, START + 30);
    expect(listed.map(({ id }) => id)).toEqual([
      'caller',
      'a used last',
      'z used last',
      'used first',
    ]);
  });
});

describe('reauthenticate', () => {
  const reasonAt = async (now: number, amr: string) => {
    const proof = await reauthenticate(contextAt(now), ACCOUNT, { ...SESSION, amr }, '');
    return proof.ok ? proof.value : proof.reason;
  };

  it('a mailed code replaces the password for less than ten minutes', async () => {
    const end = START + 10 * MINUTE_MS;
    expect(await reasonAt(end - 1, SESSION.amr)).toBe('code');
    expect(await reasonAt(end, SESSION.amr)).toBe('password_missing');
  });

  it.each(['password', 'token_refresh'])('a recent %s replaces no password', async (method) => {
    const amr = JSON.stringify([{ method, timestamp: START / 1000 }]);
    expect(await reasonAt(START, amr)).toBe('password_missing');
  });
});
