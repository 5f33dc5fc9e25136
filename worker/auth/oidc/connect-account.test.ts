import { createHash } from 'node:crypto';
import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SsoIdentityResponse } from '#contract/sign-in/sso.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_flow_failures, auth_identities, auth_sessions } from '#worker/db/schema-auth.ts';
import { call } from '#worker/testing/call.ts';
import { browser, person, type Claims, type Provider } from '#worker/testing/oidc-browser.ts';
import { startProvider, WITH_PROVIDER } from '#worker/testing/oidc-provider.ts';
import { mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';
import { forgetProviders } from './provider.ts';

const db = openDb(env.DB);
const PATH = '/api/auth/v1/user/identities';
const VERIFIER = 'v'.repeat(60);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
type Owner = { headers: Record<string, string> };

const begin = ({ headers }: Owner, current_password: string) =>
  call(
    `${PATH}/authorize`,
    { json: { code_challenge: CHALLENGE, current_password }, headers },
    WITH_PROVIDER,
  );
/** Signs in at the provider for the owner who began. Returns the code of the callback. */
async function visit(provider: Provider, begun: Response, claims: Claims): Promise<string> {
  const { url } = await begun.json<{ url: string }>();
  const page = await browser().open(provider.signIn(url, claims));
  expect(page.searchParams.get('connect')).toBe('1');
  return page.searchParams.get('code') ?? '';
}
const finish = ({ headers }: Owner, auth_code: string) =>
  call(PATH, { json: { auth_code, code_verifier: VERIFIER }, headers }, WITH_PROVIDER);
const disconnect = ({ headers }: Owner, overrides: Partial<Env> = {}) =>
  call(PATH, { method: 'DELETE', headers }, { ...WITH_PROVIDER, ...overrides });
const read = async ({ headers }: Owner, overrides: Partial<Env> = {}) =>
  (await call(PATH, { headers }, { ...WITH_PROVIDER, ...overrides })).json<SsoIdentityResponse>();
const rowsOf = (subject: string) =>
  db.select().from(auth_identities).where(eq(auth_identities.subject, subject));

beforeEach(async () => {
  forgetProviders();
  await db.delete(auth_flow_failures);
});
afterEach(() => vi.restoreAllMocks());

describe('connecting a provider in Settings', () => {
  it('connects after the password, tells the owner, and signs in to this account', async () => {
    const provider = await startProvider();
    const owner = await signInEmbedded();
    expect((await read(owner)).identity).toBeNull();
    const ann = { ...person(), email_verified: false };
    const code = await visit(provider, await begin(owner, owner.password), ann);
    expect((await finish(owner, code)).status).toBe(200);
    await db.update(auth_identities).set({ linked_at: 1000, used_at: 2000 });
    const at = (second: number) => `1970-01-01T00:00:0${second}.000Z`;
    expect(await read(owner)).toEqual({
      identity: { email: ann.email, connected_at: at(1), used_at: at(2) },
      can_disconnect: true,
    });
    expect(await mailsTo(owner.email)).toMatchObject([
      { subject: expect.stringContaining('Acme now signs in') },
    ]);
    const { data } = await browser().signIn(provider, ann);
    expect(data.user).toMatchObject({ id: owner.id, email: owner.email });
  });

  it.each([
    ['', 'current_password_required'],
    ['a guess', 'current_password_invalid'],
  ])('[A22] needs the current password, not “%s”', async (password, error_code) => {
    await startProvider();
    const begun = await begin(await signInEmbedded(), password);
    expect(begun.status).toBe(400);
    expect(await begun.json()).toMatchObject({ error_code });
  });

  it('[A22] needs a new sign-in at the provider after ten minutes', async () => {
    const provider = await startProvider();
    const { data } = await browser().signIn(provider, person());
    const owner = { headers: { Authorization: `Bearer ${data.session?.access_token}` } };
    expect((await begin(owner, '')).status).toBe(200);
    const timestamp = Math.floor((Date.now() - 11 * MINUTE_MS) / 1000);
    await db
      .update(auth_sessions)
      .set({ amr: JSON.stringify([{ method: 'oauth', timestamp }]) })
      .where(eq(auth_sessions.user_id, data.user?.id ?? ''));
    expect((await begin(owner, '')).status).toBe(400);
  });

  it('[A22] a code connects only the account that began, and signs nobody in', async () => {
    const provider = await startProvider();
    const [owner, thief] = [await signInEmbedded(), await signInEmbedded()];
    const ann = person();
    const code = await visit(provider, await begin(owner, owner.password), ann);
    expect((await finish(thief, code)).status).toBe(403);
    const again = await visit(provider, await begin(owner, owner.password), ann);
    const token = await call(
      '/api/auth/v1/token?grant_type=pkce',
      { json: { auth_code: again, code_verifier: VERIFIER } },
      WITH_PROVIDER,
    );
    expect(token.status).toBe(403);
    expect(await rowsOf(ann.sub)).toEqual([]);
  });

  it('[A22] never moves a person or an account that is connected', async () => {
    const provider = await startProvider();
    const [ann, other] = [person(), person()];
    const [first, second] = [await signInEmbedded(), await signInEmbedded()];
    const connect = async (owner: typeof first, claims: Claims) =>
      finish(owner, await visit(provider, await begin(owner, owner.password), claims));
    expect((await connect(first, ann)).status).toBe(200);
    const told = "SELECT total(count) AS n FROM counters WHERE key LIKE 'auth:notice:%'";
    const before = await env.DB.prepare(told).first('n');
    const moved = await connect(second, ann);
    expect(moved.status).toBe(403);
    expect(await moved.json()).toMatchObject({ msg: expect.stringContaining('Disconnect it') });
    expect((await connect(first, other)).status).toBe(403);
    expect(await env.DB.prepare(told).first('n')).toBe(before);
    expect(await rowsOf(ann.sub)).toMatchObject([{ user_id: first.id }]);
    expect(await rowsOf(other.sub)).toEqual([]);
  });
});

describe('disconnecting a provider', () => {
  it('ends the sign-in at the provider while a password remains', async () => {
    const provider = await startProvider();
    const owner = await signInEmbedded();
    const ann = person();
    const code = await visit(provider, await begin(owner, owner.password), ann);
    await finish(owner, code);
    const off = { PASSWORD_SIGN_IN: 'off' };
    expect(await read(owner, off)).toMatchObject({ can_disconnect: false });
    expect((await disconnect(owner, off)).status).toBe(409);
    expect((await disconnect(owner)).status).toBe(204);
    expect(await rowsOf(ann.sub)).toEqual([]);
    const { data } = await browser().signIn(provider, ann);
    expect(data.user?.id).not.toBe(owner.id);
  });

  it('refuses where the provider is the only way in', async () => {
    const provider = await startProvider();
    const ann = person();
    const { data } = await browser().signIn(provider, ann);
    const owner = { headers: { Authorization: `Bearer ${data.session?.access_token}` } };
    expect(await read(owner)).toMatchObject({ can_disconnect: false });
    expect((await disconnect(owner)).status).toBe(409);
    expect(await rowsOf(ann.sub)).toHaveLength(1);
  });
});
