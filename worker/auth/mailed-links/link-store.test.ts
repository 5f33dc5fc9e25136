import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { createAuthContext } from '#worker/auth/service/context.ts';
import { newAccount, type Account, type LinkKind } from '#worker/auth/service/store.ts';
import { newSession } from '#worker/auth/sessions/sessions.ts';
import { openDb } from '#worker/db/client.ts';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import {
  auth_one_time_tokens,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { countCodeAttempt, findMailedLink, redeemLink, storeOneTimeToken } from './link-store.ts';
import { hashCode } from './mail-link.ts';

const db = openDb(env.DB);
const NOW = 10 * HOUR_MS;
const context = createAuthContext({ ...env, ...EMBEDDED }, db, new Request(ORIGIN), NOW);
const SECRET = 'k'.repeat(43);
const TOKEN = 't'.repeat(43);
const METADATA = { name: 'Ada' };

/** An unconfirmed account of a browser that made a sign-up. All of its times differ. */
const UNCONFIRMED: Account = {
  ...newAccount({
    email: 'ada@example.com',
    passwordHash: 'the hash',
    metadata: METADATA,
    confirmed: false,
    now: 1,
    id: 'ada',
  }),
  updated_at: 2,
  last_sign_in_at: 3,
  confirmation_sent_at: 4,
  recovery_sent_at: 5,
  sign_up_secret_hash: hashToken(SECRET),
};
const UNPROVEN = { ...UNCONFIRMED, email_confirmed_at: 6 };
const PROVEN = { ...UNPROVEN, proven_at: 7 };
const STATES = { unconfirmed: UNCONFIRMED, unproven: UNPROVEN, proven: PROVEN };

const tokenOf = (kind: LinkKind, token: string, user_id = 'ada', expires_at = NOW + 1) => ({
  user_id,
  kind,
  token_hash: hashToken(token),
  code_hash: '',
  expires_at,
});

/** Stores the account with a session, a key and a webhook, and one link of this kind. */
async function store(account: Account, kind: LinkKind, expiresAt = NOW + 1): Promise<void> {
  const own = { user_id: account.id, created_at: 1 };
  await db.batch([
    db.insert(auth_users).values(account),
    db.insert(auth_sessions).values({ ...own, id: 'before', refreshed_at: 1, amr: '[]' }),
    db.insert(auth_pending_sign_ins).values({ ...own, id: 'waits', amr: '[]', expires_at: 2 }),
    db
      .insert(api_keys)
      .values({ ...own, id: 'key', name: '', scopes: '', prefix: '', secret_hash: 'key' }),
    db
      .insert(webhook_endpoints)
      .values({ ...own, id: 'hook', url: '', description: '', events: '', salt: '' }),
    db.insert(auth_one_time_tokens).values(tokenOf(kind, TOKEN, account.id, expiresAt)),
  ]);
}
const linkOf = (kind: LinkKind, secret: string | null = null) => ({
  hash: hashToken(TOKEN),
  kinds: [kind],
  secretHash: secret === null ? null : hashToken(secret),
});
const TABLES = ['auth_sessions', 'auth_pending_sign_ins', 'api_keys', 'webhook_endpoints'] as const;
const idsIn = async (table: (typeof TABLES)[number]) =>
  (await env.DB.prepare(`SELECT id FROM ${table} ORDER BY rowid`).all()).results.map(
    ({ id }) => id,
  );
const storedAccount = () => db.select().from(auth_users).where(eq(auth_users.id, 'ada')).get();

beforeEach(async () => {
  for (const table of [...TABLES, 'auth_users', 'auth_one_time_tokens'])
    await env.DB.prepare(`DELETE FROM ${table}`).run();
});

describe('redeemLink', () => {
  it.each([
    ['signup', 'unconfirmed', 'its', { password: true, metadata: true, access: false }],
    ['signup', 'unconfirmed', 'no', { password: false, metadata: false, access: false }],
    ['signup', 'unconfirmed', 'another', { password: false, metadata: false, access: false }],
    // Only the link of the sign-up's own email accepts its secret.
    ['recovery', 'unconfirmed', 'its', { password: false, metadata: false, access: false }],
    ['recovery', 'unproven', 'no', { password: false, metadata: true, access: false }],
    ['recovery', 'proven', 'no', { password: true, metadata: true, access: true }],
    ['secure', 'proven', 'its', { password: false, metadata: true, access: false }],
    ['secure', 'unproven', 'no', { password: false, metadata: true, access: false }],
  ] as const)(
    'a %s link of an account that is %s, with %s secret, keeps %o',
    async (kind, state, whose, keeps) => {
      const secret = { its: SECRET, no: null, another: 'x' }[whose];
      await store(STATES[state], kind);
      const found = await findMailedLink(db, linkOf(kind, secret), NOW);
      expect(found?.keepsPassword).toBe(keeps.password);
      const session = newSession(context, 'otp');
      const redeemed = await redeemLink(db, linkOf(kind, secret), session);
      const identity = { sub: 'ada', email: 'ada@example.com', phone_verified: false };
      expect({ ...redeemed, user_metadata: JSON.parse(redeemed?.user_metadata ?? '') }).toEqual({
        ...STATES[state],
        password_hash: keeps.password ? 'the hash' : null,
        user_metadata: {
          ...(keeps.metadata ? METADATA : {}),
          ...identity,
          email_verified: true,
        },
        email_confirmed_at: STATES[state].email_confirmed_at ?? NOW,
        proven_at: STATES[state].proven_at ?? NOW,
        sign_up_secret_hash: null,
        last_sign_in_at: NOW,
        updated_at: NOW,
      });
      expect(await storedAccount()).toEqual(redeemed);
      const rest = (id: string) => (keeps.access ? [id] : []);
      expect(await idsIn('auth_sessions')).toEqual([...rest('before'), session.id]);
      expect(await idsIn('auth_pending_sign_ins')).toEqual(rest('waits'));
      expect(await idsIn('api_keys')).toEqual(rest('key'));
      expect(await idsIn('webhook_endpoints')).toEqual(rest('hook'));
      expect(await db.select().from(auth_one_time_tokens)).toEqual([]);
    },
  );

  it('[A10] a link leaves a proven account the hundred sessions that were used last', async () => {
    await store(PROVEN, 'recovery');
    const old = Array.from({ length: 120 }, (_, at) => `old-${at}`);
    const row = { user_id: 'ada', created_at: 1, refreshed_at: 2, amr: '[]' };
    for (const id of old) await db.insert(auth_sessions).values({ ...row, id });
    const session = newSession(context, 'otp');
    await redeemLink(db, linkOf('recovery'), session);
    const left = await idsIn('auth_sessions');
    expect(left).toHaveLength(100);
    expect(left).toContain(session.id);
    expect(left).not.toContain('before');
  });

  it('a link and its code work until the millisecond in which they expire', async () => {
    await store(PROVEN, 'recovery', NOW);
    const session = newSession(context, 'otp');
    const uses = {
      describe: async (now: number) =>
        (await findMailedLink(db, linkOf('recovery'), now)) !== undefined,
      code: async (now: number) =>
        (await countCodeAttempt(db, 'ada', ['recovery'], now)).length > 0,
      redeem: async (created_at: number) =>
        (await redeemLink(db, linkOf('recovery'), { ...session, created_at })) !== undefined,
    };
    for (const [name, use] of Object.entries(uses))
      expect([name, await use(NOW), await use(NOW - 1)]).toEqual([name, false, true]);
  });
});

describe('storeOneTimeToken', () => {
  it.each([
    ['signup', { confirmation_sent_at: NOW, recovery_sent_at: 5 }],
    ['recovery', { confirmation_sent_at: 4, recovery_sent_at: NOW }],
  ] as const)('a new %s link replaces only its own kind, and is dated', async (kind, dates) => {
    await store(PROVEN, 'recovery');
    const others = [tokenOf('signup', 'ada'), tokenOf(kind, 'bob', 'bob')];
    await db.insert(auth_one_time_tokens).values(others);
    await storeOneTimeToken(db, tokenOf(kind, 'new'), NOW);
    expect(await storedAccount()).toMatchObject(dates);
    const kept = kind === 'signup' ? tokenOf('recovery', TOKEN) : tokenOf('signup', 'ada');
    const rows = await db.select().from(auth_one_time_tokens);
    expect(rows.map(({ token_hash }) => token_hash).toSorted()).toEqual(
      [kept, tokenOf(kind, 'new'), tokenOf(kind, 'bob')]
        .map(({ token_hash }) => token_hash)
        .toSorted(),
    );
  });
});

describe('hashCode', () => {
  it('the same code of two accounts has two hashes', () => {
    expect(hashCode(context, 'ada', '123456')).not.toBe(hashCode(context, 'bob', '123456'));
  });
});
