import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { signAccessToken } from '#worker/auth/tokens/access-token.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_sessions, auth_users } from '#worker/db/schema-auth.ts';
import { makeKey } from '#worker/testing/api-key.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import {
  altered,
  claimsOf,
  signedWithOwnKey,
  signedWithText,
  somePublicPem,
  unsigned,
} from '#worker/testing/forge.ts';
import { makePerson, makeToken } from '#worker/testing/make.ts';
import { beginSignIn, signInWithApp } from '#worker/testing/second-factor.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { app } from './app.ts';
import { routeNames, type RouteName } from './base-app.ts';

/**
 * Every route is called by every kind of caller, with both sign-in services. EXPECTED has the
 * rules. The routes of the sign-in service check tokens themselves and are tested in worker/auth.
 * Bad tokens are equal to every route, so most routes get a few of them, and one route of each rule
 * gets them all.
 */
const ROUTES = routeNames(app).filter((name) => !name.includes(' /api/auth/v1/'));
const PARAMS: Record<string, string> = {
  ':code': 'matrix-1',
  ':id': '1',
  ':slug': 'matrix',
  ':value': 'matrix.example',
  ':delivery': '1',
  ':name': 'matrix.png',
};
type Rule = 'anyone' | 'optional' | 'member' | 'admin';
/**
 * Who may call a route, and the status behind its rule. The rules repeat access.ts, so that a rule
 * that changes by mistake fails. Codes, ids and bodies of the matrix name nothing that exists, so
 * most routes return 404 or 400. A new route needs an entry.
 */
const EXPECTED: Readonly<Record<string, [Rule, number]>> = {
  'GET /api/health': ['anyone', 200],
  'GET /api/ready': ['optional', 200],
  'GET /api/me': ['member', 200],
  'GET /api/sessions': ['member', 200],
  'DELETE /api/sessions': ['member', 200],
  'DELETE /api/sessions/:id': ['member', 404],
  'GET /api/keys': ['member', 200],
  'POST /api/keys': ['member', 400],
  'POST /api/keys/:id/rotate': ['member', 404],
  'DELETE /api/keys/:id': ['member', 404],
  'GET /api/oauth/authorize': ['member', 400],
  'POST /api/oauth/authorize': ['member', 400],
  'GET /api/webhooks': ['member', 200],
  'POST /api/webhooks': ['member', 400],
  'PATCH /api/webhooks/:id': ['member', 400],
  'DELETE /api/webhooks/:id': ['member', 404],
  'POST /api/webhooks/:id/rotate': ['member', 404],
  'POST /api/webhooks/:id/test': ['member', 404],
  'GET /api/webhooks/:id/deliveries': ['member', 404],
  'POST /api/webhooks/:id/deliveries/:delivery/replay': ['member', 404],
  'GET /api/account/export': ['member', 200],
  'GET /api/account/links.csv': ['member', 200],
  'GET /api/account/links': ['member', 200],
  'POST /api/account/links': ['member', 400],
  'DELETE /api/account': ['member', 400],
  'GET /api/blogs': ['anyone', 200],
  'GET /api/blog/:slug': ['anyone', 404],
  'GET /api/blogs-admin': ['member', 200],
  'POST /api/blogs-admin': ['member', 400],
  'PATCH /api/blogs-admin/:id': ['member', 400],
  'DELETE /api/blogs-admin/:id': ['member', 404],
  'GET /api/admin': ['admin', 400],
  'POST /api/admin': ['admin', 400],
  'POST /api/admin/claim': ['member', 400],
  'GET /api/admin/system': ['admin', 200],
  'POST /api/admin/system': ['admin', 400],
  'POST /api/admin/system/test-alert': ['admin', 200],
  'POST /api/reports': ['anyone', 400],
  'GET /api/admin/reports': ['admin', 200],
  'GET /api/admin/reports/:id': ['admin', 404],
  'POST /api/admin/reports/:id': ['admin', 400],
  'POST /api/admin/moderation': ['admin', 400],
  'DELETE /api/admin/cards/:code': ['admin', 404],
  'GET /api/admin/app-links': ['admin', 200],
  'POST /api/admin/app-links': ['admin', 400],
  'GET /api/admin/blocklist': ['admin', 200],
  'POST /api/admin/blocklist': ['admin', 400],
  'DELETE /api/admin/blocklist/:value': ['admin', 404],
  'POST /api/shorten': ['optional', 400],
  'POST /api/shorten/bulk': ['member', 400],
  'POST /api/links/claim': ['member', 400],
  'POST /api/links/test': ['member', 400],
  'POST /api/links/import/check': ['member', 400],
  'POST /api/links/import': ['member', 400],
  'POST /api/links/import/source': ['member', 400],
  'GET /api/my-urls': ['member', 200],
  'GET /api/my-urls/ids': ['member', 200],
  'GET /api/my-urls/totals': ['member', 200],
  'POST /api/links/actions': ['member', 400],
  'POST /api/links/purge': ['member', 400],
  'GET /api/qr-presets': ['member', 200],
  'POST /api/qr-presets': ['member', 400],
  'PATCH /api/qr-presets/:id': ['member', 400],
  'DELETE /api/qr-presets/:id': ['member', 404],
  'GET /api/tags': ['member', 200],
  'POST /api/tags': ['member', 400],
  'PATCH /api/tags/:id': ['member', 400],
  'POST /api/tags/:id/merge': ['member', 400],
  'DELETE /api/tags/:id': ['member', 404],
  'GET /api/shared-reports': ['member', 200],
  'POST /api/shared-reports': ['member', 400],
  'PATCH /api/shared-reports/:id': ['member', 400],
  'DELETE /api/shared-reports/:id': ['member', 404],
  'POST /api/shared-report': ['anyone', 400],
  'GET /api/utm-templates': ['member', 200],
  'POST /api/utm-templates': ['member', 400],
  'DELETE /api/utm-templates/:id': ['member', 404],
  'GET /api/views': ['member', 200],
  'POST /api/views': ['member', 400],
  'DELETE /api/views/:id': ['member', 404],
  'GET /api/links/:code': ['member', 404],
  'GET /api/links/:code/history': ['member', 404],
  'GET /api/links/:code/card': ['member', 404],
  'PUT /api/links/:code/card': ['member', 400],
  'DELETE /api/links/:code/card': ['member', 404],
  'GET /api/card-pictures/:name': ['anyone', 404],
  'PATCH /api/links/:code': ['member', 400],
  'DELETE /api/links/:code': ['member', 404],
  'GET /api/qr/:code': ['anyone', 404],
  'GET /api/click-preview': ['anyone', 200],
  'GET /api/subscription': ['member', 200],
  'POST /api/subscription': ['member', 402],
  'POST /api/subscription/downgrade': ['member', 400],
  'DELETE /api/subscription/downgrade': ['member', 409],
  'GET /api/domains': ['member', 200],
  'PUT /api/domains/default': ['member', 400],
  'GET /api/domains/:name': ['member', 404],
  'PATCH /api/domains/:name': ['member', 400],
  'POST /api/domains': ['member', 400],
  'POST /api/domains/:name/check': ['member', 404],
  'DELETE /api/domains/:name': ['member', 400],
  'POST /api/domains/:name/transfer': ['member', 400],
  'POST /api/domains/:name/transfer/accept': ['member', 404],
  'DELETE /api/domains/:name/transfer': ['member', 404],
  'GET /api/weekly-mail': ['member', 200],
  'PATCH /api/weekly-mail': ['member', 400],
  'GET /api/weekly-mail/unsubscribe': ['anyone', 400],
  'POST /api/weekly-mail/unsubscribe': ['anyone', 400],
  'GET /api/analytics': ['member', 200],
  'GET /api/analytics/:code': ['member', 404],
  'GET /api/analytics/:code/times': ['member', 404],
  'GET /api/analytics/:code/export': ['member', 404],
  'GET /api/overview/clicks': ['member', 200],
  'GET /api/overview/times': ['member', 402],
  'GET /api/overview/export': ['member', 402],
  'GET /api/overview/compare': ['member', 400],
  'GET /api/link-activity': ['member', 400],
};
const BAD_TOKENS = 3;
/** This one is sent to every route: it was issued by us, to somebody who knows the password. */
const WAITING = 'a sign-in that waits for its second factor';
const REPRESENTATIVES = new Set(
  ['anyone', 'optional', 'member', 'admin'].map((rule) =>
    ROUTES.find((route) => EXPECTED[route]?.[0] === rule),
  ),
);
/** Distinguishes the 403 of the access rule from the 403 of a route. */
const ADMINS_ONLY = 'Only administrators can do this.';

type Headers = Record<string, string>;
type Callers = {
  good: Record<'user' | 'admin' | 'demoted', Headers>;
  bad: Record<string, Headers>;
};
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

let requests = 0;
async function ask(
  route: RouteName,
  headers: Headers,
  overrides: Partial<Env>,
): Promise<{ status: number; error: unknown }> {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replaceAll(/:\w+/g, (name) => {
    const sample = PARAMS[name];
    if (sample === undefined) throw new Error(`Add a value for ${name} of ${route} to PARAMS.`);
    return sample;
  });
  requests += 1;
  const network = { 'CF-Connecting-IP': `198.18.${requests >> 8}.${requests & 255}` };
  const body = method === 'GET' ? {} : { json: {} };
  const response = await call(
    path,
    { method, ...body, headers: { ...network, ...headers } },
    overrides,
  );
  const text = await response.text();
  return { status: response.status, error: text.startsWith('{') ? JSON.parse(text).error : null };
}

/** Tokens of a hosted HS256 project. */
async function hostedCallers(): Promise<Callers> {
  const [user, admin, demoted] = [
    await makePerson(),
    await makePerson({ role: 'admin' }),
    await makePerson({ role: 'admin' }),
  ];
  const claims = { sub: admin.id, email: admin.email };
  const seconds = Math.floor(Date.now() / 1000);
  const full = claimsOf((admin.headers['Authorization'] ?? '').slice(7));
  const good = (admin.headers['Authorization'] ?? '').slice(7);
  const bad: Record<string, string> = {
    'the anon key': await makeToken({ role: 'anon' }),
    'an anon token with a subject': await makeToken({ ...claims, role: 'anon' }),
    'the service key': await makeToken({ ...claims, role: 'service_role' }),
    expired: await makeToken({ ...claims, iat: seconds - 7200, exp: seconds - 3600 }),
    'not yet valid': await makeToken({ ...claims, nbf: seconds + 3600 }),
    'without exp': await makeToken({ ...claims, exp: undefined }),
    'alg none': unsigned(full),
    'a wrong secret': await signedWithText(full, 'some other secret of thirty-two bytes'),
    'RS256 turned HS256': await signedWithText(full, await somePublicPem()),
    'RS256 with a foreign key': await signedWithOwnKey(full, 'RS256'),
    'a wrong issuer': await makeToken({ ...claims, iss: 'https://evil.example/auth/v1' }),
    'a wrong audience': await makeToken({ ...claims, aud: 'anon' }),
    'no session': await makeToken({ ...claims, session_id: undefined }),
    'no subject': await makeToken({}),
    'a subject that is not a UUID': await makeToken({ ...claims, sub: 'admin' }),
    'altered claims': altered(good, { role: 'authenticated', exp: seconds + 99_999 }),
    '16 KB': await makeToken({ ...claims, pad: 'x'.repeat(16_000) }),
    'no token at all': '',
    'three dots': '...',
  };
  return finish({ user, admin, demoted }, bad, good);
}

/** Tokens of the embedded service, which can end sessions. */
async function embeddedCallers(): Promise<Callers> {
  const people = {
    user: await signInEmbedded(),
    admin: await signInEmbedded(),
    demoted: await signInEmbedded(),
  };
  const db = openDb(env.DB);
  for (const person of Object.values(people))
    expect((await call('/api/me', { headers: person.headers }, EMBEDDED)).status).toBe(200);
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id IN (?1, ?2)")
    .bind(people.admin.id, people.demoted.id)
    .run();
  const good = (people.admin.headers['Authorization'] ?? '').slice(7);
  const full = claimsOf(good);
  const { keys } = await (
    await call('/api/auth/v1/.well-known/jwks.json', {}, EMBEDDED)
  ).json<{ keys: { kid: string }[] }>();
  const account = await db
    .select()
    .from(auth_users)
    .where(eq(auth_users.id, people.admin.id))
    .get();
  const session = await db
    .select()
    .from(auth_sessions)
    .where(eq(auth_sessions.user_id, people.admin.id))
    .get();
  if (account === undefined || session === undefined || env.AUTH_SECRET === undefined)
    throw new Error('The sign-in created no rows.');
  const sign = (issuer: string, now: number, of = session): Promise<{ token: string }> =>
    signAccessToken(db, { secret: env.AUTH_SECRET ?? '', issuer, now }, account, of);
  const issuer = `${ORIGIN}/api/auth/v1`;
  const left = await signInEmbedded();
  const bad: Record<string, string> = {
    'a signed-out session': (left.headers['Authorization'] ?? '').slice(7),
    'an unknown session': (await sign(issuer, Date.now(), { ...session, id: crypto.randomUUID() }))
      .token,
    expired: (await sign(issuer, Date.now() - 7_200_000)).token,
    'a wrong issuer': (await sign('https://evil.example/api/auth/v1', Date.now())).token,
    'alg none': unsigned(full),
    'ES256 turned HS256': await signedWithText(full, JSON.stringify(keys[0]), keys[0]?.kid),
    'a foreign key in the header': await signedWithOwnKey(full, 'ES256', keys[0]?.kid),
    'a foreign key without kid': await signedWithOwnKey(full, 'ES256'),
    'altered claims': altered(good, { sub: people.user.id }),
    'the secret of the hosted project': await makeToken({
      sub: people.admin.id,
      email: people.admin.email,
    }),
    'the public key of the client': 'sb_publishable_embedded',
    'a refresh token': people.admin.refreshToken,
    'an API key': (await makeKey()).key.key,
    [WAITING]: (await waitingForCode())['Authorization']?.slice(7) ?? '',
  };
  expect((await sign(issuer, Date.now())).token.split('.')).toHaveLength(3);
  expect(
    (await call('/api/auth/v1/logout', { json: {}, headers: left.headers }, EMBEDDED)).status,
  ).toBe(204);
  return finish(people, bad, good);
}

/** An administrator who has entered only the password. */
async function waitingForCode(): Promise<Headers> {
  const member = await signInWithApp();
  await call('/api/me', { headers: member.headers }, EMBEDDED);
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id = ?1").bind(member.id).run();
  return (await beginSignIn(member)).headers;
}

async function finish(
  people: Record<'user' | 'admin' | 'demoted', { id: string; headers: Headers }>,
  bad: Record<string, string>,
  good: string,
) {
  const refused = Object.fromEntries(
    Object.entries(bad).map(([name, token]) => [name, bearer(token)]),
  );
  Object.assign(refused, {
    'another scheme': { Authorization: `Basic ${good}` },
    'the token alone': { Authorization: good },
    'two tokens': { Authorization: `Bearer ${good}, Bearer ${good}` },
  });
  await env.DB.prepare("UPDATE users SET role = 'user' WHERE id = ?1")
    .bind(people.demoted.id)
    .run();
  const { user, admin, demoted } = people;
  return {
    good: {
      user: user.headers,
      admin: admin.headers,
      demoted: demoted.headers,
    },
    bad: refused,
  };
}

describe.each([
  { mode: 'hosted', overrides: {}, make: hostedCallers },
  { mode: 'embedded', overrides: EMBEDDED, make: embeddedCallers },
])('$mode', ({ overrides, make }) => {
  let callers: Callers;
  beforeAll(async () => {
    callers = await make();
  });

  it.each(ROUTES)('[T22] %s answers every kind of caller according to its rule', async (route) => {
    const [rule, behindRule] =
      EXPECTED[route] ?? expect.fail('The route has no entry in EXPECTED.');
    const visitorStatus = rule === 'member' || rule === 'admin' ? 401 : behindRule;
    const forged = { 'x-user-id': crypto.randomUUID(), 'x-user-email': 'admin@example.com' };
    expect((await ask(route, forged, overrides)).status).toBe(visitorStatus);

    const bad = Object.entries(callers.bad);
    const start = (ROUTES.indexOf(route) * BAD_TOKENS) % bad.length;
    const some = [...bad, ...bad].slice(start, start + BAD_TOKENS);
    const waiting = bad.filter(([name]) => name === WAITING);
    for (const [name, headers] of REPRESENTATIVES.has(route) ? bad : [...some, ...waiting]) {
      const { status } = await ask(route, headers, overrides);
      expect(status, name).toBe(rule === 'anyone' ? behindRule : 401);
    }
    for (const [name, headers] of Object.entries(callers.good)) {
      const { status, error } = await ask(route, headers, overrides);
      if (rule === 'admin' && name !== 'admin')
        expect({ status, error }, name).toEqual({ status: 403, error: ADMINS_ONLY });
      else expect(status, name).toBe(behindRule);
    }
    const [method, path] = route.split(' ');
    if (method === 'GET')
      expect(
        (await call((path ?? '').replaceAll(/:\w+/g, 'matrix-1'), { method: 'HEAD' }, overrides))
          .status,
      ).toBe(visitorStatus);
  });
});
