import { env } from 'cloudflare:test';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeysResponse } from '#contract/api/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import type { AppRequest } from '#contract/api/oauth.ts';
import { redeemAppCode } from '#worker/api-keys/app-keys.ts';
import { readApiKeys } from '#worker/api-keys/manage-keys.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { openDb } from '#worker/db/client.ts';
import { api_keys } from '#worker/db/schema-api.ts';
import { blocklist } from '#worker/db/schema-moderation.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';
import {
  authorizePath,
  CHALLENGE,
  consent,
  GRANT,
  postForm,
  queryFor,
  REDIRECT,
  redeem,
  registerApp,
  VERIFIER,
} from '#worker/testing/oauth.ts';
import { newClientId } from './client-id.ts';
import { bindingOf } from './code.ts';
import { isRedirectUri, isRegistered } from './redirect-uri.ts';

const db = openDb(env.DB);
const GRANT_PATH = '/api/oauth/authorize';
let app: string;
let member: Person;
beforeAll(async () => {
  app = await registerApp();
  member = await makePerson();
});

const codeOf = (url: URL): string => url.searchParams.get('code') ?? '';
const grantCode = async (person: Person = member): Promise<string> =>
  codeOf(await consent(person, queryFor(app)));
const keysOf = async ({ headers }: Person) =>
  (await (await call('/api/keys', { headers })).json<ApiKeysResponse>()).keys;
const errorOf = async (response: Response) => {
  const { error } = await response.json<{ error: string }>();
  return [response.status, error];
};
const tokenOf = async (response: Response) =>
  response.json<{ access_token: string; expires_in: number; scope: string; token_type: string }>();

describe('connecting an app', () => {
  it('a request without a token leads to the documents that describe the flow', async () => {
    const ping = { json: { jsonrpc: '2.0', id: 1, method: 'ping' } };
    const challenge = (await call('/api/mcp', ping)).headers.get('WWW-Authenticate') ?? '';
    expect(challenge).toContain('scope="links:read analytics:read"');
    expect(challenge).not.toContain('error=');
    const bad = { ...ping, headers: { Authorization: 'Bearer hop_live_x' } };
    expect((await call('/api/mcp', bad)).headers.get('WWW-Authenticate')).toContain(
      'error="invalid_token"',
    );
    const document = async (path: string) => {
      const response = await call(path);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
      return response.json<Record<string, unknown>>();
    };
    const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    const resource = await document(address);
    const scopes_supported = ['links:read', 'analytics:read', 'links:write'];
    expect(resource).toEqual({
      resource: `${ORIGIN}/api/mcp`,
      resource_name: 'Hop',
      authorization_servers: [ORIGIN],
      scopes_supported,
      bearer_methods_supported: ['header'],
      resource_documentation: `${ORIGIN}/docs/api`,
    });
    expect(await document('/.well-known/oauth-protected-resource')).toEqual(resource);
    expect(await document('/.well-known/oauth-authorization-server')).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/api/oauth/token`,
      registration_endpoint: `${ORIGIN}/api/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${ORIGIN}/docs/api`,
    });
  });

  it('[T40] a code survives an outage of D1, which answers 503 with Retry-After', async () => {
    const code = await grantCode();
    const response = await redeem(app, code, {}, { DB: d1Down(env.DB) });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await redeem(app, code)).status).toBe(200);
  });

  it('an approved app redeems its code for a key with the chosen rights and end', async () => {
    const person = await makePerson();
    const url = await consent(person, queryFor(app), {
      scopes: ['analytics:read', 'links:read'],
      days: 90,
    });
    expect(url.href.split('?')[0]).toBe(REDIRECT);
    expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual([
      'state of the app',
      ORIGIN,
    ]);
    const response = await redeem(app, codeOf(url));
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const token = await tokenOf(response);
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'links:read analytics:read' });
    expect(Math.ceil(token.expires_in / 86_400)).toBe(90);
    const holder = { headers: { Authorization: `Bearer ${token.access_token}` } };
    expect((await send(holder, 'GET /links')).status).toBe(200);
    const create = { json: { url: 'https://example.com' } };
    expect((await send(holder, 'POST /links', create)).status).toBe(403);
    const [key, ...others] = await keysOf(person);
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      name: 'Assistant',
      app: 'assistant.example',
      prefix: token.access_token.slice(0, 13),
    });

    const path = `/api/keys/${key?.id}`;
    expect((await call(`${path}/rotate`, { headers: person.headers, json: {} })).status).toBe(404);
    await call(path, { method: 'DELETE', headers: person.headers });
    expect((await send(holder, 'GET /links')).status).toBe(401);
  });

  it('the page learns who asks, where it leads, and how to cancel', async () => {
    const view = async (clientId: string, redirectUri: string): Promise<AppRequest> => {
      const query = queryFor(clientId, { redirect_uri: redirectUri, scope: 'openid', more: 'x' });
      return (await call(authorizePath(query), { headers: member.headers })).json();
    };
    const { cancelUrl, ...request } = await view(app, REDIRECT);
    expect(request).toEqual({ name: 'Assistant', host: 'assistant.example' });
    expect(Object.fromEntries(new URL(cancelUrl).searchParams)).toEqual({
      error: 'access_denied',
      state: 'state of the app',
      iss: ORIGIN,
    });
    const { state: _state, resource: _resource, ...least } = queryFor(app);
    const bare = await call(authorizePath(least), { headers: member.headers });
    const { cancelUrl: stateless } = await bare.json<AppRequest>();
    expect([...new URL(stateless).searchParams.keys()]).toEqual(['error', 'iss']);
    const local = await registerApp(['http://127.0.0.1/callback?state=own']);
    const shown = await view(local, 'http://127.0.0.1:53124/callback?state=own');
    expect(shown.host).toBe('127.0.0.1:53124');
    expect(shown.cancelUrl).toContain('/callback?state=own&error=access_denied&state=state');
  });

  it('the owner gets a mail about a connected app', async () => {
    const person = await signInEmbedded();
    await call('/api/me', { headers: person.headers }, EMBEDDED);
    const init = { headers: person.headers, json: { ...queryFor(app), ...GRANT } };
    expect((await call(GRANT_PATH, init, EMBEDDED)).status).toBe(201);
    const refused = { ...init, json: { ...init.json, resource: ORIGIN } };
    expect((await call(GRANT_PATH, refused, EMBEDDED)).ok).toBe(false);
    const [mail] = await mailsTo(person.email);
    expect(mail?.subject).toContain('An app was connected');
    expect(mail?.text).toContain('assistant.example');
    expect(mail?.link).toBe(`${ORIGIN}/settings/api`);
  });
});

describe('what a code does not do', () => {
  it('[T71] only its app redeems a code, with the address and verifier of its request', async () => {
    const code = await grantCode();
    const other = await registerApp();
    const elsewhere = await registerApp([REDIRECT, 'https://other.example/']);
    for (const [clientId, more] of [
      [elsewhere, {}],
      [app, { redirect_uri: `${REDIRECT}/` }],
      [app, { code_verifier: 'w'.repeat(43) }],
      [app, { code: `${code}x` }],
    ] as const)
      expect(await errorOf(await redeem(clientId, code, more))).toEqual([400, 'invalid_grant']);
    // Registering the same data again is the same app.
    expect(other).toBe(app);
    const redeemed = await redeem(app, code);
    expect(redeemed.status).toBe(200);
    // Another app that sends the used code does not end the connection.
    expect((await redeem(elsewhere, code)).status).toBe(400);
    const { access_token: secret } = await tokenOf(redeemed);
    const holder = { headers: { Authorization: `Bearer ${secret}` } };
    expect((await send(holder, 'GET /me')).status).toBe(200);
  });

  it('[T71] a code that is used twice ends the connection', async () => {
    const person = await makePerson();
    const code = await grantCode(person);
    const answers = await Promise.all([redeem(app, code), redeem(app, code)]);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
    const good = answers.find(({ status }) => status === 200) ?? expect.fail();
    const { access_token } = await tokenOf(good);
    const holder = { headers: { Authorization: `Bearer ${access_token}` } };
    expect((await send(holder, 'GET /me')).status).toBe(401);
    expect(await keysOf(person)).toEqual([]);
  });

  it('[T71] a code ends after two minutes, and its key is never listed again', async () => {
    const person = await makePerson();
    const code = await grantCode(person);
    expect(await keysOf(person)).toHaveLength(1);
    const [made] = await db.select().from(api_keys).where(eq(api_keys.user_id, person.id));
    expect((made?.code_until ?? 0) - (made?.created_at ?? 0)).toBe(120_000);
    const end = Date.now();
    await db.update(api_keys).set({ code_until: end }).where(eq(api_keys.user_id, person.id));
    const binding = bindingOf(app, REDIRECT, CHALLENGE);
    expect(await readApiKeys(db, person.id, end - 1)).toHaveLength(1);
    expect(await redeemAppCode(db, code, binding, end)).toBeNull();
    expect(await errorOf(await redeem(app, code))).toEqual([400, 'invalid_grant']);
    expect(await readApiKeys(db, person.id, end)).toEqual([]);
    await deleteExpiredData(env, Date.now());
    const rows = await db.select().from(api_keys).where(eq(api_keys.user_id, person.id));
    expect(rows).toEqual([]);
  });

  it('[T71] a code is no token, and an account has a limited number of connections', async () => {
    const person = await makePerson();
    const code = await grantCode(person);
    for (const secret of [code, `hop_live_${code}`]) {
      const holder = { headers: { Authorization: `Bearer ${secret}` } };
      expect((await send(holder, 'GET /me')).status).toBe(401);
    }
    const [row] = await db.select().from(api_keys).where(eq(api_keys.user_id, person.id));
    expect(JSON.stringify(row)).not.toContain(code);
    for (let made = 1; made < API_KEYS_MAX; made += 1) await makeKey({ person });
    const init = { headers: person.headers, json: { ...queryFor(app), ...GRANT } };
    expect((await call(GRANT_PATH, init)).status).toBe(409);
    // A connection that was never finished leaves its place to another one.
    const isCode = eq(api_keys.app_host, 'assistant.example');
    await db
      .update(api_keys)
      .set({ code_until: 1 })
      .where(and(isCode, eq(api_keys.user_id, person.id)));
    expect((await call(GRANT_PATH, init)).status).toBe(201);
  });

  it('[T71] a token request that is not a proper form is answered with the errors of OAuth', async () => {
    const code = await grantCode();
    const wrong: [Record<string, string>, number, string][] = [
      [{ grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ code_verifier: 'short' }, 400, 'invalid_request'],
      [{ client_id: `${app}x` }, 401, 'invalid_client'],
      [{ client_id: 'x' }, 401, 'invalid_client'],
      [{ client_id: `${app}.x` }, 401, 'invalid_client'],
      [{ resource: 'https://other.example/api/mcp' }, 400, 'invalid_target'],
    ];
    for (const [more, status, error] of wrong)
      expect(await errorOf(await redeem(app, code, more))).toEqual([status, error]);
    const empty = await postForm('/api/oauth/token', {});
    expect([empty.status, await empty.json()]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: expect.stringMatching(/^Send code, redirect_uri, client_id and code_v/),
      },
    ]);
    const json = { grant_type: 'authorization_code', code, client_id: app };
    const invalid = [400, 'invalid_request'];
    expect(await errorOf(await call('/api/oauth/token', { json }))).toEqual(invalid);
    const form = { code, client_id: app, redirect_uri: REDIRECT, code_verifier: VERIFIER };
    const twice = new URLSearchParams({ grant_type: 'authorization_code', ...form });
    twice.append('code', 'x');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', headers, body: twice.toString() };
    expect(await errorOf(await call('/api/oauth/token', sent))).toEqual(invalid);
    twice.set('code', code);
    twice.set('resource', `${ORIGIN}/api/mcp/`);
    const type = { 'Content-Type': 'Application/x-www-form-urlencoded; charset=UTF-8' };
    const init = { method: 'POST', headers: type, body: twice.toString() };
    expect((await call('/api/oauth/token', init)).status).toBe(200);
  });
});

describe('where the page sends people', () => {
  it('[T71] an app that registers or redeems too often is answered with 429', async () => {
    const LIMIT_AUTH = { limit: async () => ({ success: false }) };
    const json = { redirect_uris: [REDIRECT] };
    expect((await call('/api/oauth/register', { json }, { LIMIT_AUTH })).status).toBe(429);
    expect((await redeem(app, 'code', {}, { LIMIT_AUTH })).status).toBe(429);
  });

  it('[T71] a wrong request gets no code and no address to go to', async () => {
    const wrong: [Record<string, string>, number][] = [
      [{ client_id: 'unknown' }, 404],
      [{ client_id: `${app}0` }, 404],
      [{ redirect_uri: `${REDIRECT}?x` }, 404],
      [{ redirect_uri: 'https://evil.example/callback' }, 404],
      [{ redirect_uri: 'http://127.0.0.1/callback' }, 404],
      [{ resource: 'https://other.example/api/mcp' }, 404],
      [{ response_type: 'token' }, 400],
      [{ code_challenge_method: 'plain' }, 400],
      [{ code_challenge: 'short' }, 400],
    ];
    for (const [more, status] of wrong) {
      const query = queryFor(app, more);
      const asked = await call(authorizePath(query), { headers: member.headers });
      const init = { headers: member.headers, json: { ...query, ...GRANT } };
      const granted = await call(GRANT_PATH, init);
      expect([asked.status, granted.status], JSON.stringify(more)).toEqual([status, status]);
      expect(await asked.text()).not.toMatch(/evil\.example|callback/);
    }
    const twice = `${authorizePath(queryFor(app))}&redirect_uri=https://evil.example/`;
    expect((await call(twice, { headers: member.headers })).status).toBe(400);
    for (const grant of [
      { scopes: [] },
      { scopes: ['links:create'] },
      { days: 100_000 },
      { days: undefined },
    ]) {
      const json = { ...queryFor(app), ...GRANT, ...grant };
      expect((await call(GRANT_PATH, { headers: member.headers, json })).status).toBe(400);
    }
  });

  it('[T71] nobody but a signed-in member grants access, and no other site', async () => {
    const json = { ...queryFor(app), ...GRANT };
    expect((await call(GRANT_PATH, { json })).status).toBe(401);
    const { headers } = await makeKey();
    expect((await call(GRANT_PATH, { json, headers })).status).toBe(401);
    const foreign = { ...member.headers, Origin: 'https://evil.example' };
    expect((await call(GRANT_PATH, { json, headers: foreign })).status).toBe(403);
  });

  it('[T71] an app registers https and loopback addresses only', async () => {
    const policy = { ownHosts: ['hop.example'], shorteners: new Set(['bit.ly']) };
    const good = [
      'https://claude.ai/api/mcp/auth_callback',
      'https://chatgpt.com/connector/oauth/AbC_1?own=query',
      'http://127.0.0.1/callback',
      'http://[::1]:3118/callback',
      'http://localhost:33418/',
      'https://assistant.example/'.padEnd(500, 'x'),
    ];
    for (const uri of good) expect(isRedirectUri(uri, policy), uri).toBe(true);
    const bad = [
      '',
      '/callback',
      'http://assistant.example/callback',
      'http://127.0.0.1.evil.example/',
      'http://user@127.0.0.1/',
      'https://user:pass@assistant.example/',
      'https://assistant.example/#fragment',
      'https://assistant.example/#',
      'javascript:alert(1)',
      'data:text/html,x',
      'cursor://callback',
      'https://hop.example/code',
      'https://sub.hop.example/',
      'https://bit.ly/x',
      'https://192.168.1.1/',
      'https://router/',
      `${'https://assistant.example/'.padEnd(500, 'x')}x`,
    ];
    for (const uri of bad) expect(isRedirectUri(uri, policy), uri).toBe(false);
    const json = { redirect_uris: [REDIRECT, 'https://localhost:8787/x'] };
    expect(await errorOf(await call('/api/oauth/register', { json }))).toEqual([
      400,
      'invalid_redirect_uri',
    ]);
  });

  it('[T71] a redirect URI is the registered text, with any port on loopback only', () => {
    const registered = [REDIRECT, 'http://127.0.0.1/cb', 'http://localhost:1/cb'];
    const good = [REDIRECT, 'http://127.0.0.1:5000/cb', 'http://localhost:2/cb'];
    for (const uri of good) expect(isRegistered(uri, registered), uri).toBe(true);
    const bad = [
      'https://assistant.example:444/callback',
      'https://assistant.example/callback/',
      'https://ASSISTANT.example/callback',
      'http://127.0.0.1:5000/cb2',
      'http://127.0.0.1:5000/cb?x=1',
      'https://127.0.0.1/cb',
      'http://localhost.evil.example/cb',
      'http://u@127.0.0.1/cb',
      'http://127.0.0.1/cb#x',
      '',
    ];
    for (const uri of bad) expect(isRegistered(uri, registered), uri).toBe(false);
  });

  it('[T71] a client id is bounded, and its name hides and reorders nothing', async () => {
    const register = (json: unknown) => call('/api/oauth/register', { json });
    for (const json of [
      {},
      { redirect_uris: [] },
      { redirect_uris: 'https://assistant.example/' },
      { redirect_uris: Array.from({ length: 11 }, () => REDIRECT) },
      { redirect_uris: Array.from({ length: 10 }, (_, i) => `${REDIRECT}${i}${'x'.repeat(300)}`) },
      [],
    ])
      expect(await errorOf(await register(json))).toEqual([400, 'invalid_client_metadata']);
    const two = ['http://localhost/cb', REDIRECT];
    const registered = await register({ client_name: 'App', redirect_uris: two, scope: 'openid' });
    expect([registered.status, await registered.json()]).toEqual([
      201,
      {
        client_id: expect.any(String),
        client_name: 'App',
        redirect_uris: two,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
    const name = async (client_name?: string) => {
      const response = await register({ client_name, redirect_uris: [REDIRECT] });
      return (await response.json<{ client_name: string }>()).client_name;
    };
    expect(await name(`  Cl\u202eau\n\tde\u200b  ${'x'.repeat(100)}`)).toBe(
      `Cl au de ${'x'.repeat(41)}`,
    );
    expect(await name('😀'.repeat(51))).toBe('😀'.repeat(50));
    const idOf = (length: number) =>
      newClientId('s', { name: 'n'.repeat(length), redirectUris: [] });
    const brackets = JSON.stringify(['']).length;
    expect([idOf(2000 - brackets), idOf(2001 - brackets)]).toEqual([expect.any(String), null]);
    expect([await name(), await name('\u200b')]).toEqual(Array(2).fill('assistant.example'));
  });

  it('[T71] a host of the blocklist, or of short links, cannot be connected', async () => {
    await db.insert(blocklist).values([
      { kind: 'target', value: 'https://app.example/callback', created_at: 1 },
      { kind: 'host', value: 'listed.example', created_at: 1 },
    ]);
    await makeDomain('go.linked.test-host.com', { owner: member.id });
    for (const host of ['app.example', 'listed.example', 'go.linked.test-host.com.']) {
      const uri = `https://${host}/callback`;
      const query = queryFor(await registerApp([uri]), { redirect_uri: uri });
      const { status } = await call(authorizePath(query), { headers: member.headers });
      expect(status, host).toBe(403);
    }
  });
});
