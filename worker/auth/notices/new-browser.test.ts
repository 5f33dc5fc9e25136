import { env } from 'cloudflare:test';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatUtcTime } from '#contract/language.ts';
import { KEEP_NOTICED_DAYS, KEEP_UNCONFIRMED_DAYS } from '#contract/limits.ts';
import { DAY_MS } from '#contract/time.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';
import { forgetProviders } from '#worker/auth/oidc/provider.ts';
import { openDb } from '#worker/db/client.ts';
import { api_keys, webhook_endpoints } from '#worker/db/schema-api.ts';
import {
  auth_identities,
  auth_one_time_tokens,
  auth_passkeys,
  auth_pending_sign_ins,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { address, browser, person } from '#worker/testing/oidc-browser.ts';
import { startProvider } from '#worker/testing/oidc-provider.ts';
import { CHEAP, EMBEDDED, linkIn, mailsTo, type KeptMail } from '#worker/testing/sign-in.ts';

const AUTH = '/api/auth/v1';
const password = 'correct horse';
const db = openDb(env.DB);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

const make = async (age = 0) => {
  const email = address();
  const now = Date.now() - age;
  await createAccount(db, { email, password, confirmed: true, now }, CHEAP);
  return email;
};
async function signIn(email: string, agent: string, country?: string) {
  const headers = { 'User-Agent': agent };
  const path = `${AUTH}/token?grant_type=password`;
  const init = { json: { email, password }, headers, cf: { country } };
  const response = await call(path, init, EMBEDDED);
  const body: { access_token?: string; refresh_token?: string } = await response.json();
  return {
    status: response.status,
    headers: { Authorization: `Bearer ${body.access_token}` },
    refreshToken: body.refresh_token ?? '',
  };
}
const signOut = async ({ headers }: { headers: Record<string, string> }) =>
  expect((await call(`${AUTH}/logout?scope=local`, { json: {}, headers }, EMBEDDED)).status).toBe(
    204,
  );
const statusOf = async ({ headers }: { headers: Record<string, string> }) =>
  (await call('/api/me', { headers }, EMBEDDED)).status;
const post = async (path: string, mail: KeptMail | undefined) => {
  const { type, token_hash } = linkIn(mail);
  const response = await call(`${AUTH}${path}`, { json: { type, token_hash } }, EMBEDDED);
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
};

const later = () => new Promise((resolve) => setTimeout(resolve, 2));

/** Gives an account a passkey, a connected provider, an API key and a webhook. */
async function addAccess(user_id: string, at: number): Promise<void> {
  const id = crypto.randomUUID();
  const row = { id, user_id, created_at: at };
  await db.batch([
    db.insert(auth_passkeys).values({
      ...row,
      credential_id: id,
      public_key: '{}',
      counter: 0,
      transports: '[]',
      name: 'Key',
    }),
    db.insert(auth_identities).values({
      issuer: `https://${id}.example`,
      subject: id,
      user_id,
      email: '',
      linked_at: at,
      used_at: at,
    }),
    db
      .insert(api_keys)
      .values({ ...row, name: 'Key', scopes: 'links:read', prefix: 'hop_', secret_hash: id }),
    db
      .insert(webhook_endpoints)
      .values({ ...row, url: 'https://example.com/', events: 'link.created', salt: id }),
  ]);
}
/** How many of each an account has. */
const accessOf = (user_id: string): Promise<number[]> =>
  Promise.all(
    [auth_passkeys, auth_identities, api_keys, webhook_endpoints].map((table) =>
      db.$count(table, eq(table.user_id, user_id)),
    ),
  );

afterEach(() => vi.restoreAllMocks());

describe('the notice of a sign-in', () => {
  it('names browser, system, time and method, for a browser that is new', async () => {
    const email = await make(2 * DAY_MS);
    const known = async (): Promise<string[]> => {
      const row = await db.select().from(auth_users).where(eq(auth_users.email, email)).get();
      return JSON.parse(row?.known_browsers ?? '[]');
    };
    await signIn(email, FIREFOX);
    expect(await mailsTo(email)).toEqual([]);
    await signIn(email, SAFARI);
    const [firefox, safari] = await known();
    await signIn(email, FIREFOX);
    expect(await known()).toEqual([safari, firefox]);
    await signIn(email, SAFARI);
    const mails = await mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual(['New sign-in to your Hop account']);
    for (const text of ['Safari on iOS', 'Country: unknown', 'With: your password', 'UTC'])
      expect(mails[0]?.text).toContain(text);
    const told = await db.select().from(auth_sessions).where(isNotNull(auth_sessions.notice_hash));
    expect(mails[0]?.text).toContain(`Time: ${formatUtcTime(told[0]?.created_at ?? 0)}`);
    expect(await known()).toEqual([firefox, safari]);
    expect(String(await known())).not.toMatch(/Safari|Firefox/);
  });

  it('a known browser is new on another system, and in another country', async () => {
    const email = await make();
    const textOf = async () => (await mailsTo(email))[0]?.text;
    await signIn(email, FIREFOX, 'DE');
    await signIn(email, FIREFOX.replace('X11; Linux x86_64', 'Windows NT 10.0'), 'DE');
    expect(await textOf()).toContain('Firefox on Windows');
    await signIn(email, FIREFOX, 'FR');
    expect(await textOf()).toContain('Country: France');
    await signIn(email, FIREFOX, 'FR');
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it('remembers the 20 browsers that were used last', async () => {
    const email = await make();
    const browsers = Array.from({ length: 20 }, (_, index) => `browser ${index}`);
    const ofAccount = eq(auth_users.email, email);
    await db
      .update(auth_users)
      .set({ known_browsers: JSON.stringify(browsers) })
      .where(ofAccount);
    await signIn(email, FIREFOX);
    const row = await db.select().from(auth_users).where(ofAccount).get();
    const known = JSON.parse(row?.known_browsers ?? '');
    expect(known).toEqual([...browsers.slice(1), expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });

  it('remembers a browser after its session was signed out', async () => {
    const email = await make();
    const first = await signIn(email, FIREFOX);
    await signOut(first);
    await signIn(email, FIREFOX);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('goes to an old account that remembers nothing, unless a session is alike', async () => {
    const old = await make((KEEP_UNCONFIRMED_DAYS + 1) * DAY_MS);
    await signIn(old, FIREFOX);
    expect(await mailsTo(old)).toHaveLength(1);
    await db.update(auth_users).set({ known_browsers: null }).where(eq(auth_users.email, old));
    await signIn(old, FIREFOX);
    expect(await mailsTo(old)).toHaveLength(1);
    const young = await make();
    await signIn(young, FIREFOX);
    await db.update(auth_users).set({ known_browsers: null }).where(eq(auth_users.email, young));
    await signIn(young, SAFARI);
    expect(await mailsTo(young)).toHaveLength(1);
  });

  it('comes three times a day at most, while the sign-ins go on', async () => {
    const email = await make();
    for (const version of ['Firefox', 'Edg', 'OPR', 'Vivaldi', 'Chrome', 'SamsungBrowser'])
      expect((await signIn(email, `Mozilla/5.0 (Windows NT 10.0) ${version}/99.0`)).status).toBe(
        200,
      );
    expect(await mailsTo(email)).toHaveLength(3);
  });
});

describe('the link in the notice of a sign-in', () => {
  it('[A2] ends every session and the password, if it began with the password', async () => {
    const email = await make();
    const [owner, thief] = [await signIn(email, FIREFOX), await signIn(email, SAFARI)];
    const [mail] = await mailsTo(email);
    const description = { type: 'session', email, keeps_password: false };
    expect((await post('/verify/describe', mail)).body).toEqual(description);
    expect(await statusOf(thief)).toBe(200);
    const ended = await post('/verify/end-session', mail);
    expect(ended).toEqual({ status: 200, body: { keeps_password: false } });
    expect([await statusOf(owner), await statusOf(thief)]).toEqual([401, 401]);
    expect((await signIn(email, SAFARI)).status).toBe(400);
    expect((await post('/verify/end-session', mail)).status).toBe(403);
  });

  it.each([
    ['password', false],
    ['otp', true],
  ])('[A2] removes what was added since a sign-in by %s, and no more', async (method, keeps) => {
    const email = await make();
    const owner = await signIn(email, FIREFOX);
    const account = await db.select().from(auth_users).where(eq(auth_users.email, email)).get();
    const id = account?.id ?? '';
    await addAccess(id, Date.now() - 1);
    await later();
    await signIn(email, SAFARI);
    const amr = JSON.stringify([{ method, timestamp: 1 }]);
    const isNoticed = isNotNull(auth_sessions.notice_hash);
    const ofAccount = eq(auth_sessions.user_id, id);
    const [told] = await db
      .update(auth_sessions)
      .set({ amr })
      .where(and(ofAccount, isNoticed))
      .returning();
    if (told === undefined) throw new Error('no session');
    await addAccess(id, told.created_at);
    const until = { user_id: id, expires_at: Date.now() + DAY_MS };
    await db.insert(auth_pending_sign_ins).values({ ...told, ...until, id: crypto.randomUUID() });
    const link = { kind: 'recovery', token_hash: id, code_hash: '' } as const;
    await db.insert(auth_one_time_tokens).values({ ...until, ...link });
    await later();
    const second = await signIn(email, SAFARI);
    expect(await accessOf(id)).toEqual([2, 2, 2, 2]);
    const [mail] = await mailsTo(email);
    expect((await post('/verify/end-session', mail)).body).toEqual({ keeps_password: keeps });
    expect(await accessOf(id)).toEqual([1, 1, 1, 1]);
    const left = [auth_pending_sign_ins, auth_one_time_tokens].map((table) =>
      db.$count(table, eq(table.user_id, id)),
    );
    expect(await Promise.all(left)).toEqual([0, keeps ? 1 : 0]);
    expect(await statusOf(second)).toBe(401);
    expect(await statusOf(owner)).toBe(keeps ? 200 : 401);
  });

  it('[A2] ends only that session, if it began at the provider', async () => {
    forgetProviders();
    const email = await make();
    const own = await signIn(email, FIREFOX);
    // Requests of the client have no user agent, which is another browser.
    const { data } = await browser().signIn(await startProvider(), person(email));
    const theirs = { headers: { Authorization: `Bearer ${data.session?.access_token}` } };
    const mail = (await mailsTo(email)).find(({ subject }) => subject.includes('New sign-in'));
    expect(mail?.text).toContain('With: your account at Acme');
    expect((await post('/verify/end-session', mail)).body).toEqual({ keeps_password: true });
    expect([await statusOf(own), await statusOf(theirs)]).toEqual([200, 401]);
    expect((await signIn(email, FIREFOX)).status).toBe(200);
  });

  it('[A2] a wrong token ends nothing', async () => {
    const email = await make();
    const { headers } = await signIn(email, FIREFOX);
    await signIn(email, SAFARI);
    for (const token_hash of ['', 'x'.repeat(43)]) {
      const json = { token_hash };
      expect((await call(`${AUTH}/verify/end-session`, { json }, EMBEDDED)).status).toBe(403);
    }
    expect(await db.$count(auth_sessions)).toBeGreaterThan(1);
    expect(await statusOf({ headers })).toBe(200);
  });
});

type Thief = { headers: Record<string, string>; refreshToken: string; id: string; email: string };
/** Ways to end one's own session. */
const EXITS: Record<string, (thief: Thief) => Promise<unknown>> = {
  'signs out': ({ headers }) => call(`${AUTH}/logout?scope=local`, { json: {}, headers }, EMBEDDED),
  'signs out everywhere': ({ headers }) => call(`${AUTH}/logout`, { json: {}, headers }, EMBEDDED),
  'ends it in the list of sessions': ({ headers, id }) =>
    call(`/api/sessions/${id}`, { method: 'DELETE', headers }, EMBEDDED),
  'ends it from another session': async ({ email }) => {
    const { headers } = await signIn(email, SAFARI);
    await call('/api/sessions', { method: 'DELETE', headers }, EMBEDDED);
  },
  'uses an old refresh token': async ({ refreshToken }) => {
    for (let i = 0; i < 2; i += 1)
      await call(
        `${AUTH}/token?grant_type=refresh_token`,
        { json: { refresh_token: refreshToken } },
        { ...EMBEDDED, AUTH_REFRESH_REUSE_SECONDS: '0' },
      );
  },
  'signs in a hundred times': async ({ id, email }) => {
    const columns = await sessionOf(id);
    for (let i = 0; i < 101; i += 1)
      await db.insert(auth_sessions).values({
        ...columns,
        id: crypto.randomUUID(),
        notice_hash: null,
        refreshed_at: columns.refreshed_at + 1,
      });
    await signIn(email, SAFARI);
    expect(await db.$count(auth_sessions, eq(auth_sessions.user_id, columns.user_id))).toBe(101);
  },
};
async function sessionOf(id: string) {
  const row = await db.select().from(auth_sessions).where(eq(auth_sessions.id, id)).get();
  if (row === undefined) throw new Error('no session');
  return row;
}
/** A thief with the password, who has signed in and added access. The owner has got the mail. */
async function breakIn() {
  const email = await make();
  await signIn(email, FIREFOX);
  const { headers, refreshToken } = await signIn(email, SAFARI);
  const noticed = isNotNull(auth_sessions.notice_hash);
  const row = await db
    .select()
    .from(auth_sessions)
    .where(noticed)
    .orderBy(desc(auth_sessions.created_at))
    .get();
  await later();
  await addAccess(row?.user_id ?? '', Date.now());
  return { email, headers, refreshToken, id: row?.id ?? '', userId: row?.user_id ?? '' };
}

describe('a thief whose sign-in was told', () => {
  it.each(Object.keys(EXITS))('[A19] %s, and the link in the mail still works', async (how) => {
    const thief = await breakIn();
    await EXITS[how]?.(thief);
    const isOver = how === 'signs in a hundred times' ? 200 : 401;
    expect(await statusOf(thief)).toBe(isOver);
    const { headers } = await signIn(thief.email, FIREFOX);
    const listed = await (await call('/api/sessions', { headers }, EMBEDDED)).text();
    expect(listed.includes(thief.id)).toBe(isOver === 200);
    const [mail] = await mailsTo(thief.email);
    expect((await post('/verify/describe', mail)).status).toBe(200);
    expect((await post('/verify/end-session', mail)).status).toBe(200);
    expect(await accessOf(thief.userId)).toEqual([0, 0, 0, 0]);
    expect((await signIn(thief.email, SAFARI)).status).toBe(400);
    expect((await post('/verify/end-session', mail)).status).toBe(403);
  });

  it('[A19] a session that has ended is kept for a week, and works nowhere', async () => {
    const thief = await breakIn();
    await signOut(thief);
    await signOut(await signIn(thief.email, FIREFOX));
    const again = { json: { refresh_token: thief.refreshToken } };
    const refreshed = await call(`${AUTH}/token?grant_type=refresh_token`, again, EMBEDDED);
    expect(refreshed.status).toBe(400);
    const { not_after } = await sessionOf(thief.id);
    const week = (not_after ?? 0) + KEEP_NOTICED_DAYS * DAY_MS;
    const isKept = async (now: number) => {
      await deleteExpiredSignInData(env, now);
      return (await db.$count(auth_sessions, eq(auth_sessions.id, thief.id))) === 1;
    };
    expect([await isKept(week - 1), await isKept(week)]).toEqual([true, false]);
  });

  it('[A19] the owner is told again, once the browser was called foreign', async () => {
    const { email, userId } = await breakIn();
    const amr = JSON.stringify([{ method: 'otp', timestamp: 1 }]);
    const ofAccount = eq(auth_sessions.user_id, userId);
    await db.update(auth_sessions).set({ amr }).where(ofAccount);
    const [mail] = await mailsTo(email);
    expect((await post('/verify/end-session', mail)).body).toEqual({ keeps_password: true });
    await signIn(email, FIREFOX);
    expect(await mailsTo(email)).toHaveLength(1);
    await signIn(email, SAFARI);
    expect(await mailsTo(email)).toHaveLength(2);
  });
});
