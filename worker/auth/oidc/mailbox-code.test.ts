import { env } from 'cloudflare:test';
import { eq, gt } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import {
  auth_flow_failures,
  auth_flows,
  auth_identities,
  auth_one_time_tokens,
  auth_users,
} from '#worker/db/schema-auth.ts';
import { counters } from '#worker/db/schema-system.ts';
import { call } from '#worker/testing/call.ts';
import { address, browser, person, type Claims } from '#worker/testing/oidc-browser.ts';
import { startProvider, WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { EMBEDDED, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { connectByMailbox } from './identities.ts';
import { forgetProviders } from './provider.ts';

const db = openDb(env.DB);
const PATH = '/api/auth/v1/callback/mailbox';
const unverified = (email = address()) => ({ ...person(email), email_verified: false });
const lastFailure = async () => (await db.select().from(auth_flow_failures)).at(-1)?.reason;
const codeTo = async (email: string) => {
  const [mail] = await mailsTo(email);
  return /code: (\d{6})/.exec(mail?.text ?? '')?.[1] ?? '';
};

/** Signs in at the provider, up to the page that asks for a code by mail. */
async function arrive(claims: Claims, settings: Partial<Env> = {}) {
  const provider = await startProvider();
  const page = browser(settings);
  const url = await page.open(provider.signIn(await page.begin(), claims));
  const auth_code = url.searchParams.get('code') ?? '';
  const ask = async (path: string, body: object) => {
    const json = { auth_code, code_verifier: page.verifier(), ...body };
    const response = await call(path, { json }, { ...WITH_PROVIDER, ...settings });
    const answer = await response.json<{ error_code?: string; msg?: string }>();
    return { status: response.status, code: answer.error_code, message: answer.msg };
  };
  return {
    url,
    need: url.searchParams.get('mailbox'),
    send: (email: string, body = {}) => ask(PATH, { email, ...body }),
    enter: (token: string, body = {}) => ask(`${PATH}/verify`, { token, ...body }),
    finish: () => page.auth.exchangeCodeForSession(auth_code),
    auth_code,
  };
}

beforeEach(async () => {
  forgetProviders();
  await db.delete(auth_flow_failures);
});
afterEach(() => vi.restoreAllMocks());

describe('a mailed code after a sign-in at the provider', () => {
  it('creates an account for a person without an address at the provider', async () => {
    const ann = { sub: crypto.randomUUID() };
    const page = await arrive(ann, { OIDC_ALLOWED_DOMAINS: 'acme.example' });
    expect(page.need).toBe('missing');
    const email = address();
    expect(await page.send(email.toUpperCase())).toMatchObject({ status: 200 });
    await db.delete(counters);
    expect(await page.enter(await codeTo(email))).toMatchObject({ status: 200 });
    expect(await db.$count(counters, gt(counters.count, 0))).toBe(0);
    const { data } = await page.finish();
    expect(data.user).toMatchObject({ email, app_metadata: { has_password: false, sso: true } });
    // The next sign-in needs no code, although the provider still has verified no address.
    const again = await arrive(ann, { OIDC_ALLOWED_DOMAINS: 'acme.example' });
    expect(again.need).toBeNull();
    expect((await again.finish()).data.user?.id).toBe(data.user?.id);
    // An address that the provider verifies later counts instead.
    const moved = { ...ann, email: 'ann@elsewhere.example', email_verified: true };
    await (await arrive(moved, { OIDC_ALLOWED_DOMAINS: 'acme.example' })).finish();
    expect(await lastFailure()).toBe('domain_not_allowed');
  });

  it('asks a person who is known already once, where only some domains may sign in', async () => {
    const ann = person();
    await (await arrive(ann)).finish();
    const settings = { OIDC_ALLOWED_DOMAINS: 'acme.example' };
    const later = { ...ann, email_verified: false };
    const page = await arrive(later, settings);
    expect(page.need).toBe('unverified');
    await page.send(ann.email);
    await page.enter(await codeTo(ann.email));
    expect((await page.finish()).data.user?.email).toBe(ann.email);
    expect((await arrive(later, settings)).need).toBeNull();
  });

  it('offers the unverified address, and joins the account of the mailbox', async () => {
    const owner = await signInEmbedded({ email: address() });
    const page = await arrive(unverified(owner.email), { OIDC_LINK_BY_EMAIL: 'off' });
    expect(page.need).toBe('unverified');
    expect(page.url.hash).toBe(`#email=${encodeURIComponent(owner.email)}`);
    await tab(EMBEDDED).auth.resetPasswordForEmail(owner.email);
    await page.send(owner.email);
    await page.enter(await codeTo(owner.email));
    expect((await page.finish()).data.user?.id).toBe(owner.id);
    const isOwn = eq(auth_one_time_tokens.user_id, owner.id);
    expect(await db.$count(auth_one_time_tokens, isOwn)).toBe(0);
    const subjects = (await mailsTo(owner.email)).map(({ subject }) => subject);
    expect(subjects[0]).toContain('Acme now signs in');
    const signedIn = await tab(EMBEDDED).auth.signInWithPassword(owner);
    expect(signedIn.data.user?.id).toBe(owner.id);
  });

  it('[A22] removes the password of somebody who had not proven the mailbox', async () => {
    const ann = person();
    const squatter = tab({ ...EMBEDDED, AUTH_AUTOCONFIRM: 'on' }).auth;
    const { data: before } = await squatter.signUp({ email: ann.email, password: 'squatter' });
    const page = await arrive(ann);
    expect(page.need).toBe('exists');
    await page.send(ann.email);
    await page.enter(await codeTo(ann.email));
    const { data } = await page.finish();
    expect(data.user?.app_metadata['has_password']).toBe(false);
    expect((await squatter.getUser()).data.user).toBeNull();
    const row = await db
      .select()
      .from(auth_users)
      .where(eq(auth_users.id, before.user?.id ?? ''))
      .get();
    expect(row).toMatchObject({ email: ann.email, password_hash: null });
    expect(row?.proven_at).not.toBeNull();
  });

  it('[A24] joins no account that has a second factor', async () => {
    const owner = await signInEmbedded({ email: address() });
    await db
      .update(auth_users)
      .set({ totp_secret: 'unused', totp_confirmed_at: 1 })
      .where(eq(auth_users.id, owner.id));
    const known = await arrive(person(owner.email), { OIDC_LINK_BY_EMAIL: 'off' });
    expect(known.need).toBeNull();
    expect((await known.finish()).error?.message).toContain('Sign in to it with your password');
    const settings = { OIDC_LINK_BY_EMAIL: 'off', PASSWORD_SIGN_IN: 'off' };
    const withoutPasswords = await arrive(person(owner.email), settings);
    expect((await withoutPasswords.finish()).error?.message).toContain('with a passkey');
    const page = await arrive(unverified(owner.email));
    await page.send(owner.email);
    await page.enter(await codeTo(owner.email));
    expect((await page.finish()).error).toMatchObject({ code: 'provider_refused' });
    expect(await lastFailure()).toBe('account_exists');
  });

  it('[A22] a factor from before the mailbox was proven does not keep its owner out', async () => {
    const owner = await signInEmbedded({ email: address() });
    await db
      .update(auth_users)
      .set({ totp_secret: 'unused', totp_confirmed_at: 1, proven_at: null })
      .where(eq(auth_users.id, owner.id));
    const page = await arrive(unverified(owner.email));
    await page.send(owner.email);
    await page.enter(await codeTo(owner.email));
    expect((await page.finish()).data.user?.id).toBe(owner.id);
    expect(await lastFailure()).toBeUndefined();
  });

  it('[A24] the batch that joins an account checks its second factor again', async () => {
    const owner = await signInEmbedded({ email: address() });
    const connectTo = (subject: string) =>
      connectByMailbox(
        db,
        { issuer: 'https://idp.example', userId: owner.id, now: Date.now() },
        { subject, email: owner.email, isEmailVerified: false, inAdminGroup: false },
        owner.email,
      );
    const withFactor = (proven_at: number | null) =>
      db
        .update(auth_users)
        .set({ totp_secret: 'unused', totp_confirmed_at: 1, proven_at })
        .where(eq(auth_users.id, owner.id));
    await withFactor(1);
    expect(await connectTo('late')).toBe(false);
    // The factor of an account whose mailbox nobody had proven may be somebody else's.
    await withFactor(null);
    expect(await connectTo('first')).toBe(true);
  });

  it('[A22] allows five tries, and a newer code replaces it', async () => {
    const page = await arrive(unverified());
    const email = address();
    await page.send(email);
    const first = await codeTo(email);
    await page.send(email);
    const second = await codeTo(email);
    const wrong = ['000000', '111111'].find((code) => code !== first && code !== second) ?? '';
    if (first !== second) expect((await page.enter(first)).code).toBe('otp_expired');
    for (let i = first === second ? 0 : 1; i < 5; i += 1)
      expect((await page.enter(wrong)).code).toBe('otp_expired');
    expect((await page.enter(second)).code).toBe('otp_expired');
    // A new code starts with all its tries, and ends the proof by the one before.
    await page.send(email);
    expect((await page.enter(await codeTo(email))).status).toBe(200);
    await page.send(email);
    expect((await page.finish()).error).toMatchObject({ code: 'provider_refused' });
    expect(await lastFailure()).toBe('email_unverified');
  });

  it('[A22] a code works once', async () => {
    const page = await arrive(unverified());
    const email = address();
    await page.send(email);
    const code = await codeTo(email);
    expect((await page.enter(code)).status).toBe(200);
    expect((await page.enter(code)).code).toBe('otp_expired');
    expect((await page.finish()).data.user?.email).toBe(email);
  });

  it('[A22] the code is worthless in another browser, which ends the sign-in', async () => {
    const page = await arrive(unverified());
    const email = address();
    await page.send(email);
    const stolen = { code_verifier: 'x'.repeat(60) };
    expect((await page.enter(await codeTo(email), stolen)).code).toBe('bad_code_verifier');
    expect((await page.enter(await codeTo(email))).code).toBe('flow_state_expired');
    expect((await page.finish()).data.session).toBeNull();
  });

  it('[A22] expires after ten minutes', async () => {
    const page = await arrive(unverified());
    const email = address();
    await db.update(auth_flows).set({ expires_at: Date.now() + MINUTE_MS });
    await page.send(email);
    const row = await db.select().from(auth_flows).where(eq(auth_flows.mailbox, email)).get();
    const left = (row?.expires_at ?? 0) - Date.now();
    expect(left).toBeGreaterThan(9 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(10 * MINUTE_MS);
    await db
      .update(auth_flows)
      .set({ expires_at: Date.now() })
      .where(eq(auth_flows.id, row?.id ?? ''));
    expect((await page.enter(await codeTo(email))).code).toBe('flow_state_expired');
  });

  it('[A2] answers alike for known and unknown addresses', async () => {
    const owner = await signInEmbedded({ email: address() });
    const page = await arrive({ sub: crypto.randomUUID() }, { SIGN_UP: 'closed' });
    const [known, unknown] = [owner.email, address()];
    expect(await page.send(known)).toEqual(await page.send(unknown));
    expect(await page.enter('000000')).toMatchObject({ code: 'otp_expired' });
    await page.enter(await codeTo(unknown));
    expect((await page.finish()).error?.message).toContain('sign-up is closed');
  });

  it('goes only to allowed domains, at most once in a while', async () => {
    const page = await arrive(unverified(), {
      OIDC_ALLOWED_DOMAINS: 'acme.example',
      AUTH_EMAIL_INTERVAL_SECONDS: '60',
    });
    expect(await page.send('ann@evil.example')).toMatchObject({ code: 'provider_refused' });
    expect(await lastFailure()).toBe('domain_not_allowed');
    const email = address();
    expect((await page.send(email)).status).toBe(200);
    expect(await page.send(email)).toMatchObject({ code: 'over_email_send_rate_limit' });
    expect(await mailsTo('ann@evil.example')).toEqual([]);
  });

  it('nobody is asked for it without mail, and the refusal says why', async () => {
    const page = await arrive(unverified(), { DEV_MAILBOX: 'off', MAIL_FROM: '' });
    expect(page.need).toBeNull();
    expect((await page.finish()).error?.message).toContain('has not verified your email address');
    expect(await lastFailure()).toBe('email_unverified');
  });

  it('never moves a person or an account that is connected', async () => {
    const owner = await signInEmbedded({ email: address() });
    const place = {
      issuer: WITH_PROVIDER.OIDC_ISSUER,
      user_id: owner.id,
      linked_at: 1,
      used_at: 1,
    };
    await db.insert(auth_identities).values({ ...place, subject: crypto.randomUUID(), email: '' });
    const page = await arrive(unverified());
    await page.send(owner.email);
    await page.enter(await codeTo(owner.email));
    const told = "SELECT total(count) AS n FROM counters WHERE key LIKE 'auth:notice:%'";
    const before = await env.DB.prepare(told).first('n');
    expect((await page.finish()).error).toMatchObject({ code: 'provider_refused' });
    expect(await lastFailure()).toBe('already_connected');
    expect(await env.DB.prepare(told).first('n')).toBe(before);
  });
});
