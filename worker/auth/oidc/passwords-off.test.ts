import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { deleteExpiredSignInData } from '#worker/auth/delete-expired-sign-in-data.ts';
import { openDb } from '#worker/db/client.ts';
import {
  auth_flow_failures,
  auth_pending_sign_ins,
  auth_sessions,
} from '#worker/db/schema-auth.ts';
import { admin_claims } from '#worker/db/schema-system.ts';
import { hashToken, randomToken } from '#worker/secrets/one-time-secret.ts';
import { call } from '#worker/testing/call.ts';
import { browser, person } from '#worker/testing/oidc-browser.ts';
import { ISSUER, startProvider, WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import { readFailures, recordFailure } from './failures.ts';
import { forgetProviders } from './provider.ts';
import { fail } from './reasons.ts';

const db = openDb(env.DB);
const OFF = { ...WITH_PROVIDER, PASSWORD_SIGN_IN: 'off' } satisfies Partial<Env>;
const runJob = (overrides: Partial<Env> = OFF) =>
  deleteExpiredSignInData({ ...env, ...overrides }, Date.now());
const isSignedIn = async (headers: Record<string, string>, overrides: Partial<Env> = OFF) =>
  (await call('/api/me', { headers }, overrides)).status === 200;
const takesPassword = async (member: { email: string; password: string }) =>
  (await tab(WITH_PROVIDER).auth.signInWithPassword(member)).error === null;

beforeEach(async () => {
  forgetProviders();
  await db.run(sql`delete from auth_identities`);
  await db.delete(auth_flow_failures);
});
afterEach(() => vi.restoreAllMocks());

describe('a site without passwords', () => {
  it('deletes nothing until somebody has signed in at this provider', async () => {
    const provider = await startProvider();
    const member = await signInEmbedded();
    await runJob();
    const elsewhere = { ...OFF, OIDC_ISSUER: 'https://typo.acme.example' };
    await browser().signIn(provider, person());
    await runJob(elsewhere);
    await runJob({ ...OFF, OIDC_ISSUER: '' });
    await runJob(WITH_PROVIDER);
    expect(await isSignedIn(member.headers)).toBe(true);
    expect(await takesPassword(member)).toBe(true);
  });

  it('then deletes passwords, mailed links and sessions that began otherwise', async () => {
    const provider = await startProvider();
    const member = await signInEmbedded();
    await tab(WITH_PROVIDER).auth.resetPasswordForEmail(member.email);
    const { data } = await browser(OFF).signIn(provider, person());
    const [session] = await db.select().from(auth_sessions);
    if (session === undefined) throw new Error('no session');
    const waits = { ...session, id: crypto.randomUUID(), expires_at: Date.now() + HOUR_MS };
    await db.insert(auth_pending_sign_ins).values(waits);
    await runJob();
    expect(await db.$count(auth_pending_sign_ins)).toBe(0);
    expect(await isSignedIn(member.headers)).toBe(false);
    expect(await isSignedIn({ Authorization: `Bearer ${data.session?.access_token}` })).toBe(true);
    expect(await takesPassword(member)).toBe(false);
    const link = (await mailsTo(member.email))[0]?.link ?? '';
    const token_hash = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash');
    const json = { type: 'recovery', token_hash };
    expect((await call('/api/auth/v1/verify', { json }, WITH_PROVIDER)).status).toBe(403);
    expect((await browser(OFF).signIn(provider, person(member.email))).data.user?.id).toBe(
      member.id,
    );
  });

  it('keeps links and the account itself', async () => {
    const provider = await startProvider();
    const member = await signInEmbedded();
    const json = { longUrl: 'https://acme.example/kept' };
    const made = await call('/api/shorten', { json, headers: member.headers }, WITH_PROVIDER);
    const { code } = await made.json<{ code: string }>();
    await browser(OFF).signIn(provider, person());
    await runJob();
    expect((await call(`/${code}`, {}, OFF)).status).toBe(302);
    const again = await browser(OFF).signIn(provider, person(member.email));
    const headers = { Authorization: `Bearer ${again.data.session?.access_token}` };
    const links = await call('/api/my-urls', { headers }, OFF);
    expect(await links.text()).toContain(code);
  });

  it('an operator becomes administrator with a link from the command line', async () => {
    const provider = await startProvider();
    await browser(OFF).signIn(provider, person());
    await runJob();
    const token = randomToken();
    await db
      .insert(admin_claims)
      .values({ token_hash: hashToken(token), expires_at: Date.now() + HOUR_MS });
    const { data } = await browser(OFF).signIn(provider, person());
    const headers = { Authorization: `Bearer ${data.session?.access_token}` };
    expect((await call('/api/admin/claim', { json: { token }, headers }, OFF)).status).toBe(200);
    expect((await call('/api/admin/system', { headers }, OFF)).status).toBe(200);
  });

  it('owners choose a new password by mail once passwords are on again', async () => {
    const provider = await startProvider();
    const member = await signInEmbedded();
    await browser(OFF).signIn(provider, person());
    await runJob();
    const page = tab(WITH_PROVIDER).auth;
    await page.resetPasswordForEmail(member.email);
    const link = (await mailsTo(member.email))[0]?.link ?? '';
    const token_hash = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? '';
    expect((await page.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull();
    expect((await page.updateUser({ password: 'a new password' })).error).toBeNull();
    expect(await takesPassword({ ...member, password: 'a new password' })).toBe(true);
  });

  it.each<[string, object]>([
    ['signup', { email: 'new@acme.example', password: 'long enough' }],
    ['token?grant_type=password', { email: 'new@acme.example', password: 'long enough' }],
    ['recover', { email: 'new@acme.example' }],
    ['resend', { type: 'signup', email: 'new@acme.example' }],
    ['verify', { type: 'recovery', email: 'new@acme.example', token: '123456' }],
  ])('[A22] refuses %s', async (path, json) => {
    const answer = await call(`/api/auth/v1/${path}`, { json }, OFF);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error_code: 'email_provider_disabled' });
  });

  it('[A22] refuses a new password, also from a fresh sign-in at the provider', async () => {
    const provider = await startProvider();
    const page = browser(OFF);
    await page.signIn(provider, person());
    expect((await page.auth.updateUser({ password: 'a way around' })).error).toMatchObject({
      code: 'email_provider_disabled',
    });
  });

  it('offers only the provider in its public settings', async () => {
    const answer = await call('/api/auth/v1/settings', {}, OFF);
    expect(await answer.json()).toMatchObject({
      external: { email: false },
      disable_signup: true,
    });
  });
});

describe('the system page', () => {
  it('says what an administrator needs when sign-ins fail', async () => {
    const provider = await startProvider();
    const boss = await browser().signIn(provider, person());
    const headers = { Authorization: `Bearer ${boss.data.session?.access_token}` };
    await call('/api/me', { headers }, WITH_PROVIDER);
    await db.run(sql`update users set role = 'admin' where id = ${boss.data.user?.id}`);
    const ann = { ...person(), email_verified: false };
    await browser().signIn(provider, ann);
    const newer = { at: 1, reason: 'of_a_newer_release', detail: 'more' };
    await db.insert(auth_flow_failures).values(newer);
    const answer = await call('/api/admin/system', { headers }, WITH_PROVIDER);
    const { sso } = await answer.json<{ sso: unknown }>();
    expect(sso).toMatchObject({
      issuer: ISSUER,
      callback: 'http://localhost:8787/api/auth/v1/callback',
      look: { fault: '' },
      failures: [
        { sentence: 'of_a_newer_release', detail: 'more' },
        { sentence: expect.stringContaining('email_verified: true'), detail: '' },
      ],
    });
    expect(JSON.stringify(sso)).not.toContain(ann.email);
  });

  it('keeps the last ten failures, the newest first', async () => {
    for (let at = 1; at <= 12; at += 1)
      await recordFailure(db, fail('email_missing', `number ${at}`), at);
    const kept = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
    expect((await readFailures(db)).map(({ at }) => at)).toEqual(kept);
    expect(await db.$count(auth_flow_failures)).toBe(10);
  });
});
