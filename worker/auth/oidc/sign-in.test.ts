import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SSO_PROVIDER } from '#contract/sign-in/sso.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import {
  auth_flow_failures,
  auth_flows,
  auth_identities,
  auth_sessions,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { address, browser, person, type Claims } from '#worker/testing/oidc-browser.ts';
import {
  ISSUER,
  startProvider,
  WITH_PROVIDER,
  type Malice,
} from '#worker/testing/oidc-provider.ts';
import { EMBEDDED, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { forgetProviders } from './provider.ts';

const db = openDb(env.DB);
const query = `provider=${SSO_PROVIDER}&code_challenge=${'a'.repeat(43)}&code_challenge_method=s256`;
const lastFailure = async () => {
  const rows = await db.select().from(auth_flow_failures);
  return rows.at(-1);
};
const accountOf = (email: string) =>
  db.select().from(auth_users).where(eq(auth_users.email, email)).get();

beforeEach(async () => {
  forgetProviders();
  await db.delete(auth_flow_failures);
});
afterEach(() => vi.restoreAllMocks());

describe('sign-in at a provider', () => {
  it('creates an account for a verified address, for 12 hours', async () => {
    const provider = await startProvider();
    const ann = person();
    const page = browser();
    const { data, error } = await page.signIn(provider, ann);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: ann.email,
      app_metadata: { has_password: false, sso: true },
    });
    const rows = await db
      .select()
      .from(auth_sessions)
      .where(eq(auth_sessions.user_id, data.user?.id ?? ''));
    expect(rows.map((row) => (row.not_after ?? 0) - row.created_at)).toEqual([12 * HOUR_MS]);
    const connected = await db.$count(
      auth_identities,
      eq(auth_identities.linked_at, rows[0]?.created_at ?? 0),
    );
    expect(connected).toBe(1);
    const headers = { Authorization: `Bearer ${data.session?.access_token}` };
    const sessions = await call('/api/sessions', { headers }, WITH_PROVIDER);
    expect(await sessions.json()).toMatchObject({ sessions: [{ began: 'sso', current: true }] });
  });

  it('finds the account by subject after the address has changed at the provider', async () => {
    const provider = await startProvider();
    const ann = person();
    const first = await browser().signIn(provider, ann);
    const bob = await signInEmbedded();
    await db.update(auth_identities).set({ linked_at: 1, used_at: 1 });
    await db.update(auth_users).set({ last_sign_in_at: 1 });
    const second = await browser().signIn(provider, { ...ann, email: bob.email });
    expect(second.data.user?.id).toBe(first.data.user?.id);
    expect(second.data.user?.email).toBe(ann.email);
    const [identity] = await db
      .select()
      .from(auth_identities)
      .where(eq(auth_identities.subject, ann.sub));
    const { last_sign_in_at: at } = (await accountOf(ann.email)) ?? {};
    expect(at).toBeGreaterThan(1);
    expect(identity).toMatchObject({ email: bob.email, linked_at: 1, used_at: at });
  });

  it('[A10] leaves the account the hundred sessions that were used last', async () => {
    const provider = await startProvider();
    const ann = person();
    const { data } = await browser().signIn(provider, ann);
    const id = data.user?.id ?? '';
    await env.DB.prepare(
      `INSERT INTO auth_sessions (id, user_id, refreshed_at, amr, created_at)
       SELECT ?1 || value, ?1, value, '[]', value FROM json_each(?2)`,
    )
      .bind(id, JSON.stringify(Array.from({ length: 120 }, (_, at) => at)))
      .run();
    expect((await browser().signIn(provider, ann)).error).toBeNull();
    expect(await db.$count(auth_sessions, eq(auth_sessions.user_id, id))).toBe(100);
  });

  it('a suspended account is refused, and the reason is kept', async () => {
    const provider = await startProvider();
    const ann = person();
    const { data } = await browser().signIn(provider, ann);
    await db
      .update(auth_users)
      .set({ banned_until: 9e15 })
      .where(eq(auth_users.id, data.user?.id ?? ''));
    const { error } = await browser().signIn(provider, ann);
    expect([error?.code, (await lastFailure())?.reason]).toEqual(['user_banned', 'suspended']);
  });

  it('[A22] never joins an account whose mailbox is not proven', async () => {
    const provider = await startProvider();
    const ann = person();
    const squatter = tab({ ...EMBEDDED, AUTH_AUTOCONFIRM: 'on' }).auth;
    await squatter.signUp({ email: ann.email, password: 'squatter' });
    const { data, error } = await browser().signIn(provider, ann);
    expect(data.session).toBeNull();
    expect(error).toMatchObject({ code: 'provider_refused' });
    expect(await lastFailure()).toMatchObject({ reason: 'account_exists' });
  });

  it('joins a proven account and tells its owner, unless the setting is off', async () => {
    const provider = await startProvider();
    const { id, email } = await signInEmbedded({ email: address() });
    const ann = person(` ${email.toUpperCase()}`);
    expect(
      (await browser({ OIDC_LINK_BY_EMAIL: 'off' }).signIn(provider, ann)).error,
    ).toMatchObject({ message: expect.stringContaining('connect Acme in Settings') });
    expect((await browser().signIn(provider, ann)).data.user?.id).toBe(id);
    expect(await mailsTo(email)).toMatchObject([
      { subject: expect.stringContaining('Acme now signs in') },
    ]);
    const other = await browser().signIn(provider, { ...person(email) });
    expect(other.error).toMatchObject({ code: 'provider_refused' });
  });

  it.each<[string, Partial<Claims>, Partial<Env>, string, string]>([
    ['a missing address', { email: undefined }, {}, 'email_missing', 'sent no email'],
    ['an unverified address', { email_verified: false }, {}, 'email_unverified', 'Verify it there'],
    ['the text "true"', { email_verified: 'true' }, {}, 'email_unverified', 'Verify it there'],
    [
      'another domain',
      {},
      { OIDC_ALLOWED_DOMAINS: 'corp.example' },
      'domain_not_allowed',
      'may not',
    ],
    ['a closed sign-up', {}, { SIGN_UP: 'closed' }, 'sign_up_closed', 'sign-up is closed'],
  ])('refuses %s, says why and keeps the reason', async (_, claims, settings, reason, message) => {
    const provider = await startProvider();
    const ann = { ...person(), ...claims };
    const { data, error } = await browser(settings).signIn(provider, ann);
    expect(data.session).toBeNull();
    expect(error).toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining(message),
    });
    expect(await lastFailure()).toMatchObject({ reason });
  });

  it('reads address and groups from the userinfo of the same person', async () => {
    const email = address();
    const sub = crypto.randomUUID();
    const provider = await startProvider({ userinfo: { sub, email, email_verified: true } });
    expect((await browser().signIn(provider, { sub })).data.user?.email).toBe(email);
    provider.malice.userinfo = { sub: 'somebody else', email: address(), email_verified: true };
    const page = browser();
    const answer = await page.open(provider.signIn(await page.begin(), { sub }));
    expect(answer.searchParams.get('sso')).toBe('failed');
    expect(await lastFailure()).toMatchObject({ reason: 'userinfo_invalid' });
  });

  it('takes address and verdict from one answer', async () => {
    const sub = crypto.randomUUID();
    const [victim, own] = [address(), address()];
    const provider = await startProvider({
      userinfo: { sub, email: own, email_verified: true },
    });
    const { data } = await browser().signIn(provider, { sub, email: victim });
    expect(data.user?.email).toBe(own);
    expect(await accountOf(victim)).toBeUndefined();
  });
});

describe('a hostile provider', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each<[string, Malice, string, RegExp]>([
    ['another nonce', { claims: { nonce: 'stale' } }, 'id_token_invalid', /nonce/],
    ['another audience', { claims: { aud: 'other' } }, 'id_token_invalid', /aud/],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'id_token_invalid', /iss/],
    ['an expired token', { claims: { exp: now - 60 } }, 'id_token_invalid', /exp/],
    ['another algorithm', { alg: 'ES256' }, 'id_token_invalid', /alg/],
    ['no signature', { alg: 'none' }, 'id_token_invalid', /alg/],
    ['the public key as a secret', { alg: 'HS256' }, 'id_token_invalid', /alg/],
    [
      'no signature, which its metadata allow',
      { alg: 'none', metadata: { id_token_signing_alg_values_supported: ['none', 'HS256'] } },
      'id_token_invalid',
      /alg/,
    ],
    ['a key of somebody else', { foreignKey: true }, 'id_token_invalid', /signature/],
    ['no subject', { claims: { sub: '' } }, 'id_token_invalid', /sub/],
    ['a long subject', { claims: { sub: 'x'.repeat(256) } }, 'id_token_invalid', /sub/],
  ])('[A22] a token is refused for %s', async (_, malice, reason, detail) => {
    const provider = await startProvider(malice);
    const ann = person();
    const page = browser();
    const answer = await page.open(provider.signIn(await page.begin(), ann));
    expect(answer.pathname).toBe('/auth');
    expect(answer.searchParams.get('sso')).toBe('failed');
    const failure = await lastFailure();
    expect(failure?.reason).toBe(reason);
    expect(failure?.detail).toMatch(detail);
    expect(failure?.detail).not.toContain(ann.email);
    expect(await accountOf(ann.email)).toBeUndefined();
  });

  it('a response is refused for an issuer that is not the provider’s', async () => {
    const provider = await startProvider();
    const page = browser();
    await db.delete(auth_flows);
    const begun = await page.begin();
    const answer = await page.open(
      provider.signIn(begun, person(), { iss: 'https://evil.example' }),
    );
    expect(answer.search).toBe('?sso=failed&next=%2Fsettings');
    expect(await db.$count(auth_flows)).toBe(0);
    expect(await lastFailure()).toMatchObject({ reason: 'response_invalid' });
  });

  it('metadata of another issuer are refused, and asked for again after a while', async () => {
    stopClock();
    const provider = await startProvider({ metadata: { issuer: 'https://evil.example' } });
    const page = browser();
    for (const ms of [0, 29_999]) {
      vi.setSystemTime(Date.now() + ms);
      expect(await page.begin()).toBe(`${ORIGIN}/auth?sso=unavailable&next=%2Fsettings`);
    }
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
    vi.setSystemTime(Date.now() + 1);
    await page.begin();
    expect(provider.requests).toHaveLength(2);
    const failed = { reason: 'provider_metadata' };
    expect(await db.select().from(auth_flow_failures)).toMatchObject([failed, failed]);
  });

  it('the metadata of a provider are read once an hour', async () => {
    stopClock();
    const provider = await startProvider();
    const page = browser();
    for (const ms of [0, HOUR_MS - 1, 1]) {
      vi.setSystemTime(Date.now() + ms);
      await page.begin();
    }
    expect(provider.requests).toHaveLength(2);
  });

  it('the sign-in page shows that the provider is down, the system page why', async () => {
    await startProvider({ status: 502 });
    expect(await browser().begin()).toContain('sso=unavailable');
    expect(await lastFailure()).toMatchObject({ reason: 'provider_unreachable' });
  });

  it('a provider that goes down on the way is recorded once', async () => {
    const provider = await startProvider();
    const page = browser();
    const callback = provider.signIn(await page.begin(), person());
    forgetProviders();
    provider.malice.status = 502;
    expect((await page.open(callback)).searchParams.get('sso')).toBe('failed');
    const failed = { reason: 'provider_unreachable' };
    expect(await db.select().from(auth_flow_failures)).toMatchObject([failed]);
  });
});

describe('the code of a callback', () => {
  it('[A22] a code is worthless in another browser, and afterwards in its own', async () => {
    const provider = await startProvider();
    const [victim, attacker] = [browser(), browser()];
    const page = await victim.open(provider.signIn(await victim.begin(), person()));
    const code = page.searchParams.get('code') ?? '';
    await attacker.begin();
    const stolen = await attacker.auth.exchangeCodeForSession(code);
    expect(stolen).toMatchObject({ data: { session: null }, error: { code: 'bad_code_verifier' } });
    expect(await lastFailure()).toMatchObject({ reason: 'other_browser' });
    const late = await victim.auth.exchangeCodeForSession(code);
    expect(late).toMatchObject({ data: { session: null }, error: { code: 'flow_state_expired' } });
  });

  it('[A22] works once, and so does the state', async () => {
    const provider = await startProvider();
    const page = browser();
    const callback = provider.signIn(await page.begin(), person());
    const code = (await page.open(callback)).searchParams.get('code') ?? '';
    expect((await page.open(callback)).search).toBe('?sso=expired');
    const body = { auth_code: code, code_verifier: 'x'.repeat(60) };
    const token = () => call('/api/auth/v1/token?grant_type=pkce', { json: body }, WITH_PROVIDER);
    expect((await token()).status).toBe(403);
    expect((await token()).status).toBe(403);
  });

  it('limits the sign-ins of a network that wait', async () => {
    await startProvider();
    const begin = async (network: string) => {
      const headers = { 'CF-Connecting-IP': network };
      return (await call(`/api/auth/v1/authorize?${query}`, { headers }, WITH_PROVIDER)).status;
    };
    expect(await begin('2001:db8:7:1::1')).toBe(303);
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
       INSERT INTO auth_flows (id, state_hash, challenge, next, network, expires_at)
       SELECT 'f' || i, 's' || i, challenge, next, network, expires_at
       FROM n, (SELECT * FROM auth_flows ORDER BY rowid DESC LIMIT 1)`,
    ).run();
    // The networks of a /48 share one number of sign-ins.
    expect(await begin('2001:db8:7:2::1')).toBe(429);
    expect(await begin('2001:db8:8:1::1')).toBe(303);
  });

  it('opens only a page of the application', async () => {
    const provider = await startProvider();
    const begun = await call(
      `/api/auth/v1/authorize?${query}&redirect_to=https://evil.example/`,
      {},
      WITH_PROVIDER,
    );
    const page = await browser().open(
      provider.signIn(begun.headers.get('Location') ?? '', person()),
    );
    expect(page.origin).toBe(ORIGIN);
    expect(page.searchParams.get('next')).toBe('/dashboard');
  });
});

describe('the sign-out at the provider', () => {
  it.each<[string, Malice, string]>([
    [
      'opens its page',
      {},
      `${ISSUER}/logout?client_id=hop&post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A8787%2F`,
    ],
    [
      'says that there is no such page',
      { metadata: { end_session_endpoint: undefined } },
      'http://localhost:8787/auth?sso=stays',
    ],
    [
      'says that the provider is unreachable',
      { status: 503 },
      'http://localhost:8787/auth?sso=unavailable',
    ],
  ])('%s', async (_, malice, expected) => {
    await startProvider(malice);
    const answer = await call('/api/auth/v1/provider-logout', {}, WITH_PROVIDER);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, expected]);
  });
});

describe('without a provider', () => {
  it('nothing of it answers', async () => {
    const provider = await startProvider();
    for (const path of ['authorize?provider=custom:sso', 'callback?state=x', 'provider-logout'])
      expect((await call(`/api/auth/v1/${path}`, {}, EMBEDDED)).status).toBe(400);
    expect(provider.requests).toEqual([]);
  });
});
