import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { KEEP_SESSIONS_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { findByEmail } from '#worker/auth/service/store.ts';
import { verifyOwnToken, signAccessToken } from '#worker/auth/tokens/access-token.ts';
import { signingKeys } from '#worker/auth/tokens/signing-keys.ts';
import { openDb } from '#worker/db/client.ts';
import {
  auth_factor_resets,
  auth_flows,
  auth_passkey_challenges,
  auth_pending_sign_ins,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { CHEAP, EMBEDDED, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { rotateSigningKeys } from './tokens/rotate-signing-keys.ts';
import { deleteExpiredSignInData } from './delete-expired-sign-in-data.ts';

const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n ?? -1;
describe('scheduled work of the sign-in service', () => {
  it('publishes a signing key before it signs and keeps it while its tokens are valid', async () => {
    const secret = env.AUTH_SECRET ?? '';
    const isolate = () => openDb(withMethods(env.DB, {}));
    const rotate = (now: number) => rotateSigningKeys({ ...env, ...EMBEDDED }, now);
    const db = openDb(env.DB);
    const id = await createAccount(
      db,
      { email: 'key@example.com', password: 'correct horse', confirmed: true, now: 0 },
      CHEAP,
    );
    const [account] = await db.select().from(auth_users);
    if (account === undefined || id === null) throw new Error('no account');
    const session = {
      id: crypto.randomUUID(),
      user_id: id,
      counter: 0,
      refreshed_at: 0,
      amr: '[]',
      created_at: 0,
      not_after: null,
      browser: null,
      os: null,
      country: null,
      notice_hash: null,
    };
    const sign = async (now: number) =>
      (await signAccessToken(isolate(), { secret, issuer: 'iss', now }, account, session)).token;
    const isValid = async (token: string, now: number) =>
      (await verifyOwnToken(isolate(), { secret, issuer: 'iss', now }, token)).ok;
    const kidOf = (token: string) => decodeProtectedHeader(token).kid;

    const first = await sign(0);
    expect(await rotate(89 * DAY_MS)).toEqual({});
    const due = 90 * DAY_MS;
    expect(await rotate(due)).toEqual({ reason: 'key_published' });
    expect((await signingKeys(isolate(), secret, due)).publicJwks).toHaveLength(2);
    expect(kidOf(await sign(due))).toBe(kidOf(first));
    expect(await rotate(due + HOUR_MS / 2)).toEqual({});
    const last = await sign(due + HOUR_MS);
    expect(await rotate(due + HOUR_MS)).toEqual({ reason: 'key_activated' });
    const fresh = await sign(due + HOUR_MS);
    expect(kidOf(fresh)).not.toBe(kidOf(first));
    expect(await isValid(last, due + HOUR_MS + HOUR_MS / 2)).toBe(true);
    await rotate(due + 3 * HOUR_MS);
    expect(await count('auth_keys')).toBe(2);
    await rotate(due + 3 * HOUR_MS + 1);
    expect(await count('auth_keys')).toBe(1);
    expect(await isValid(fresh, due + HOUR_MS + HOUR_MS / 2)).toBe(true);
    expect(await rotateSigningKeys(env, due + 100 * DAY_MS)).toEqual({});
  });

  it('deletes expired rows and nothing else', async () => {
    const now = Date.now();
    const person = await signInEmbedded();
    const client = tab();
    await client.auth.signUp({ email: 'late@example.com', password: 'secret-1' });
    await client.auth.resetPasswordForEmail(person.email);
    const before = [
      await count('auth_sessions'),
      await count('auth_one_time_tokens'),
      await count('auth_users'),
    ];
    expect(await deleteExpiredSignInData(env, now)).toEqual({ deleted: {}, left: 0 });
    expect([
      await count('auth_sessions'),
      await count('auth_one_time_tokens'),
      await count('auth_users'),
    ]).toEqual(before);

    const deletedAt = async (after: number) =>
      (await deleteExpiredSignInData(env, now + after + HOUR_MS)).deleted;
    expect(await deletedAt(HOUR_MS)).toEqual({ auth_one_time_tokens: 2 });
    expect(await deletedAt(KEEP_UNCONFIRMED_DAYS * DAY_MS)).toEqual({ auth_users: 1 });
    expect(await deletedAt(KEEP_SESSIONS_DAYS * DAY_MS)).toEqual({ auth_sessions: 1 });
    expect((await tab().auth.signInWithPassword(person)).error).toBeNull();
    expect(
      (await tab().auth.signUp({ email: 'late@example.com', password: 'secret-2' })).data.user
        ?.identities,
    ).toHaveLength(1);
  });

  it('what waits for an answer is deleted in the millisecond in which it ends', async () => {
    const db = openDb(env.DB);
    const [end, user_id] = [1_000, crypto.randomUUID()];
    const expires = { expires_at: end };
    await db.batch([
      db.insert(auth_pending_sign_ins).values({
        ...expires,
        id: user_id,
        user_id,
        amr: '[]',
        created_at: 1,
      }),
      db.insert(auth_factor_resets).values({
        ...expires,
        user_id,
        stop_hash: user_id,
        requested_at: 1,
        ready_at: 2,
      }),
      db
        .insert(auth_flows)
        .values({ ...expires, id: user_id, challenge: '', next: '/', network: '' }),
      db
        .insert(auth_passkey_challenges)
        .values({ ...expires, token_hash: user_id, purpose: 'add', network: '' }),
    ]);
    expect((await deleteExpiredSignInData(env, end - 1)).deleted).toEqual({});
    expect((await deleteExpiredSignInData(env, end)).deleted).toEqual({
      auth_pending_sign_ins: 1,
      auth_factor_resets: 1,
      auth_flows: 1,
      auth_passkey_challenges: 1,
    });
  });

  it('an unconfirmed account stays if its owner has asked for another email', async () => {
    const email = 'again@example.com';
    await tab().auth.signUp({ email, password: 'secret-1' });
    const sentAt = Date.now() - DAY_MS;
    await env.DB.prepare(
      'UPDATE auth_users SET created_at = ?1, confirmation_sent_at = ?2 WHERE email = ?3',
    )
      .bind(sentAt - 3 * DAY_MS, sentAt, email)
      .run();
    const end = sentAt + KEEP_UNCONFIRMED_DAYS * DAY_MS;
    expect((await deleteExpiredSignInData(env, end - 1)).deleted).not.toHaveProperty('auth_users');
    expect((await deleteExpiredSignInData(env, end)).deleted).toEqual({ auth_users: 1 });
  });

  it('an unconfirmed account stays while a link to it works', async () => {
    const email = 'linked@example.com';
    const month = String((KEEP_UNCONFIRMED_DAYS + 1) * 86_400);
    await tab({ AUTH_LINK_TTL_SECONDS: month }).auth.signUp({ email, password: 'secret-1' });
    const existsAfter = async (days: number) => {
      await deleteExpiredSignInData(env, Date.now() + days * DAY_MS + HOUR_MS);
      return (await findByEmail(openDb(env.DB), email)) !== undefined;
    };
    expect([
      await existsAfter(KEEP_UNCONFIRMED_DAYS),
      await existsAfter(KEEP_UNCONFIRMED_DAYS + 1),
    ]).toEqual([true, false]);
  });
});
