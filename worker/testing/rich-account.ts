import { env } from 'cloudflare:test';
import { factorId } from '#worker/auth/service/user-json.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { PLAIN_QR } from '#contract/presets/qr-presets.ts';
import { HOUR_MS } from '#contract/time.ts';
import { GRANT, queryFor, registerApp } from './oauth.ts';
import { call } from './call.ts';
import { makeDomain } from './domains.ts';
import { makePerson } from './make.ts';
import { ISSUER } from './oidc-provider.ts';
import { EMBEDDED, signInEmbedded } from './sign-in.ts';
import { newNetwork, shortenAsVisitor } from './visitor.ts';

/**
 * A request to a route that changes the account. `path` replaces the parameters of the route's
 * pattern.
 */
export type Change = { path?: Record<string, string | number | null>; json?: unknown };

const WEB_CREDENTIALS = '{"webcredentials":{"apps":["ABCDE12345.com.example"]}}';

/** Rate limits are off, because a test sends requests by the hundred. */
const UNLIMITED: RateLimit = { limit: async () => ({ success: true }) };
export const RICH_ENV = {
  ...EMBEDDED,
  BILLING: 'demo',
  // Without a client id, no provider is asked.
  OIDC_ISSUER: ISSUER,
  CF_SAAS_ZONE_ID: 'zone',
  CF_SAAS_TOKEN: 'token',
  CF_SAAS_TARGET: 'in.saas.test',
  LIMIT_WRITES: UNLIMITED,
  LIMIT_AUTH: UNLIMITED,
  LIMIT_MISSES: UNLIMITED,
  LIMIT_READS: UNLIMITED,
  LIMIT_VISITOR_LINKS: UNLIMITED,
} satisfies Partial<Env>;

export type RichAccount = Awaited<ReturnType<typeof makeRichAccount>>;

let accounts = 0;

/**
 * Creates an administrator on Premium who has one of everything. `changes` maps every route that
 * needs a session to the request that would change it.
 */
export async function makeRichAccount() {
  accounts += 1;
  const n = `${accounts}-${crypto.randomUUID().slice(0, 4)}`;
  const person = await signInEmbedded({ email: `rich-${n}@example.com` });
  const { headers } = person;
  await send('GET /api/me');
  const now = Date.now();
  await run("UPDATE users SET role = 'admin' WHERE id = ?1", person.id);
  await send('GET /api/subscription');
  await run(
    "UPDATE subscriptions SET plan = 'premium', monthly_limit = 1000, downgrade_at = ?2 WHERE user_id = ?1",
    person.id,
    now + HOUR_MS,
  );

  async function send<T = { id: string | number }>(route: string, json?: unknown): Promise<T> {
    const [method = '', path = ''] = route.split(' ');
    const response = await call(
      path,
      { method, headers, ...(json === undefined ? {} : { json }) },
      RICH_ENV,
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  const { email, password } = person;
  const other = await call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    RICH_ENV,
  );
  await other.body?.cancel();
  const session = await env.DB.prepare(
    'SELECT id FROM auth_sessions WHERE user_id = ?1 ORDER BY created_at DESC, rowid DESC',
  )
    .bind(person.id)
    .first<string>('id');
  const code = `rich-${n}`;
  await send('POST /api/shorten', { longUrl: `https://example.com/${n}`, customCode: code });
  const trashed = await env.DB.prepare(
    `INSERT INTO links (code, target, target_host, user_id, status, created_at, updated_at)
      VALUES (?1, 'https://example.com/', 'example.com', ?2, 'deleted', ?3, ?3) RETURNING id`,
  )
    .bind(`trashed-${n}`, person.id, now)
    .first<number>('id');
  const [tag, otherTag] = [
    await send('POST /api/tags', { name: `one ${n}` }),
    await send('POST /api/tags', { name: `two ${n}` }),
  ];
  const template = await send('POST /api/utm-templates', { name: `a ${n}`, source: 'news' });
  const view = await send('POST /api/views', { name: `a ${n}`, filters: { q: 'a' } });
  const sharing = { title: `a ${n}`, parts: [], period: 'all', expiresAt: null, password: null };
  const shared = await send('POST /api/shared-reports', { ...sharing, code });
  const preset = await send('POST /api/qr-presets', { name: `a ${n}`, style: PLAIN_QR, logo: '' });
  const key = await send<{ id: string; key: string }>('POST /api/keys', {
    name: 'a',
    scopes: ['links:read', 'links:write'],
  });
  const webhook = await send('POST /api/webhooks', {
    url: 'https://hooks.example/a',
    events: ['link.created'],
  });
  const delivery = await env.DB.prepare(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, attempts, created_at)
      VALUES (?1, ?2, 'link.created', 1, '{}', 'failed', 3, ?3) RETURNING id`,
  )
    .bind(webhook.id, `m-${n}`, now)
    .first<number>('id');
  const post = await send('POST /api/blogs-admin', {
    title: `A ${n}`,
    content: 'Text.',
    slug: `a-${n}`,
    published: false,
  });
  const blocked = `blocked-${n}.example.net`;
  await send('POST /api/admin/blocklist', { hosts: blocked, reason: 'Phishing.' });
  const network = { 'CF-Connecting-IP': newNetwork() };
  await (
    await call('/api/reports', { json: { code, reason: 'spam' }, headers: network }, RICH_ENV)
  ).text();
  const report = await env.DB.prepare('SELECT max(id) AS id FROM abuse_reports').first<number>(
    'id',
  );
  const visitorLink: { code: string; claimToken: string } = await (
    await shortenAsVisitor({
      body: JSON.stringify({ longUrl: `https://example.com/visitor-${n}` }),
    })
  ).json();
  await run(
    'INSERT INTO admin_claims (token_hash, expires_at) VALUES (?1, ?2)',
    hashToken(`claim ${n}`),
    now + HOUR_MS,
  );
  const stranger = await makePerson();

  const [domain, claimed, offered] = [`own-${n}.com`, `claimed-${n}.com`, `offered-${n}.com`];
  await makeDomain(domain, { owner: person.id });
  await send('POST /api/domains', { name: claimed, confirmed: true });
  const offeredId = await makeDomain(offered, { owner: stranger.id });
  await run(
    'INSERT INTO domain_transfers (domain_id, from_id, to_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)',
    offeredId,
    stranger.id,
    person.id,
    now,
    now + HOUR_MS,
  );

  await send(`PUT /api/links/${code}/card`, { title: 'A card' });
  await addWaysToSignIn(person.id, n);

  const factor = { id: factorId(person.id) };
  const changes: Record<string, Change> = {
    'POST /api/shorten': { json: { longUrl: 'https://example.com/new', customCode: `new-${n}` } },
    'POST /api/shorten/bulk': { json: { longUrls: ['https://example.com/bulk'] } },
    'POST /api/links/claim': {
      json: { links: [{ code: visitorLink.code, token: visitorLink.claimToken }] },
    },
    'POST /api/links/import/check': {
      json: {
        format: 'bitly',
        rows: [{ line: 1, url: 'https://example.com/check', code: `check-${n}` }],
      },
    },
    'POST /api/links/import': {
      json: {
        format: 'bitly',
        id: `import-${n}-0000`,
        collisions: 'suffix',
        rows: [{ line: 1, url: 'https://example.com/import', code: `import-${n}` }],
      },
    },
    'POST /api/links/import/source': {
      json: { source: 'kutt', address: 'https://127.0.0.1/', key: 'a', cursor: 0 },
    },
    'POST /api/links/test': {
      json: { longUrl: 'https://example.com/', settings: {}, visitor: {} },
    },
    'PATCH /api/links/:code': {
      path: { code },
      json: { longUrl: 'https://evil.example/', title: 'Taken' },
    },
    'PUT /api/links/:code/card': { path: { code }, json: { title: 'Taken' } },
    'DELETE /api/links/:code/card': { path: { code } },
    'DELETE /api/links/:code': { path: { code } },
    'POST /api/links/purge': { json: { ids: [trashed] } },
    'POST /api/account/links': { json: { ids: [trashed] } },
    'POST /api/links/actions': { json: { codes: [code], action: 'archive' } },
    'POST /api/tags': { json: { name: `three ${n}` } },
    'PATCH /api/tags/:id': { path: { id: tag.id }, json: { name: `renamed ${n}` } },
    'POST /api/tags/:id/merge': { path: { id: tag.id }, json: { into: otherTag.id } },
    'DELETE /api/tags/:id': { path: { id: tag.id } },
    'POST /api/utm-templates': { json: { name: `b ${n}`, source: 'news' } },
    'DELETE /api/utm-templates/:id': { path: { id: template.id } },
    'POST /api/shared-reports': { json: { ...sharing, code, title: `b ${n}` } },
    'PATCH /api/shared-reports/:id': { path: { id: shared.id }, json: { title: `c ${n}` } },
    'DELETE /api/shared-reports/:id': { path: { id: shared.id } },
    'POST /api/views': { json: { name: `b ${n}`, filters: { q: 'b' } } },
    'DELETE /api/views/:id': { path: { id: view.id } },
    'POST /api/qr-presets': { json: { name: `b ${n}`, style: PLAIN_QR, logo: '' } },
    'PATCH /api/qr-presets/:id': { path: { id: preset.id }, json: { name: `c ${n}` } },
    'DELETE /api/qr-presets/:id': { path: { id: preset.id } },
    'POST /api/subscription': { json: {} },
    'POST /api/subscription/downgrade': { json: { when: 'now' } },
    'DELETE /api/subscription/downgrade': {},
    'POST /api/keys': { json: { name: 'thief', scopes: ['links:read', 'links:write'] } },
    'POST /api/keys/:id/rotate': { path: { id: key.id }, json: { overlapHours: 0 } },
    'DELETE /api/keys/:id': { path: { id: key.id } },
    'POST /api/oauth/authorize': { json: { ...queryFor(await registerApp()), ...GRANT } },
    'POST /api/webhooks': {
      json: { url: 'https://hooks.example/thief', events: ['link.created'] },
    },
    'PATCH /api/webhooks/:id': {
      path: { id: webhook.id },
      json: { url: 'https://hooks.example/taken' },
    },
    'DELETE /api/webhooks/:id': { path: { id: webhook.id } },
    'POST /api/webhooks/:id/rotate': { path: { id: webhook.id }, json: { overlapHours: 0 } },
    'POST /api/webhooks/:id/test': { path: { id: webhook.id } },
    'POST /api/webhooks/:id/deliveries/:delivery/replay': {
      path: { id: webhook.id, delivery: delivery },
    },
    'DELETE /api/sessions': {},
    'DELETE /api/sessions/:id': { path: { id: session } },
    'DELETE /api/account': {
      json: { confirm: 'delete my account', links: 'remove', currentPassword: person.password },
    },
    'PATCH /api/domains/:name': { path: { name: domain }, json: { rootUrl: 'evil.example' } },
    'PUT /api/domains/default': { json: { name: domain } },
    'POST /api/domains': { json: { name: `new-${n}.com`, confirmed: true } },
    'POST /api/domains/:name/check': { path: { name: claimed } },
    'DELETE /api/domains/:name': { path: { name: domain }, json: { name: domain } },
    'POST /api/domains/:name/transfer': {
      path: { name: domain },
      json: { email: stranger.email },
    },
    'POST /api/domains/:name/transfer/accept': { path: { name: offered } },
    'DELETE /api/domains/:name/transfer': { path: { name: offered } },
    'PATCH /api/weekly-mail': { json: { enabled: true } },
    'POST /api/blogs-admin': {
      json: { title: `B ${n}`, content: 'Text.', slug: `b-${n}`, published: true },
    },
    'PATCH /api/blogs-admin/:id': { path: { id: post.id }, json: { title: 'Taken' } },
    'DELETE /api/blogs-admin/:id': { path: { id: post.id } },
    'POST /api/admin': { json: { action: 'set_role', user_id: stranger.id, role: 'admin' } },
    'POST /api/admin/system': { json: { action: 'replay' } },
    'POST /api/admin/system/test-alert': {},
    'POST /api/admin/app-links': { json: { file: 'apple', content: WEB_CREDENTIALS } },
    'POST /api/admin/claim': { json: { token: `claim ${n}` } },
    'POST /api/admin/reports/:id': { path: { id: report }, json: { status: 'dismissed' } },
    'POST /api/admin/moderation': {
      json: { action: 'disable', reason: 'Phishing.', scope: { kind: 'link', code } },
    },
    'DELETE /api/admin/cards/:code': { path: { code } },
    'POST /api/admin/blocklist': { json: { hosts: `more-${n}.example.net`, reason: 'Phishing.' } },
    'DELETE /api/admin/blocklist/:value': { path: { value: blocked } },
    'PUT /api/auth/v1/user': {
      json: { password: 'chosen by the thief', current_password: person.password },
    },
    'POST /api/auth/v1/logout': { json: {} },
    'POST /api/auth/v1/user/identities/authorize': { json: { code_challenge: 'c'.repeat(43) } },
    'POST /api/auth/v1/user/identities': { json: { auth_code: `flow ${n}`, code_verifier: 'x' } },
    'DELETE /api/auth/v1/user/identities': {},
    'POST /api/auth/v1/factors': { json: { factor_type: 'totp' } },
    'POST /api/auth/v1/factors/:id/challenge': { path: factor, json: {} },
    'POST /api/auth/v1/factors/:id/verify': { path: factor, json: { code: '000000' } },
    'DELETE /api/auth/v1/factors/:id': { path: factor, json: {} },
    'POST /api/auth/v1/factors/recovery-codes': { json: {} },
    'POST /api/auth/v1/factors/reset': { json: {} },
    'POST /api/auth/v1/passkeys/proof/options': { json: {} },
    'POST /api/auth/v1/passkeys/proof/verify': { json: { challenge_id: `prove ${n}` } },
    'POST /api/auth/v1/passkeys/registration/options': { json: {} },
    'POST /api/auth/v1/passkeys/registration/verify': { json: { challenge_id: `add ${n}` } },
    'PATCH /api/auth/v1/passkeys/:id': {
      path: { id: `passkey-${n}` },
      json: { friendly_name: 'Taken' },
    },
    'DELETE /api/auth/v1/passkeys/:id': { path: { id: `passkey-${n}` } },
  };
  return { person, key, changes };
}

/**
 * Adds a passkey, the account at a provider, and challenges and flows that wait. A use of the passkey
 * a moment ago is proof enough for every change of the account.
 */
async function addWaysToSignIn(userId: string, n: string): Promise<void> {
  const now = Date.now();
  const end = now + HOUR_MS;
  const amr = JSON.stringify([{ method: 'webauthn', timestamp: Math.floor(now / 1000) }]);
  await run('UPDATE auth_sessions SET amr = ?2 WHERE user_id = ?1', userId, amr);
  await run(
    `INSERT INTO auth_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
      VALUES (?1, ?2, ?1, '', 0, '[]', 'A passkey', 1)`,
    `passkey-${n}`,
    userId,
  );
  await run(
    `INSERT INTO auth_identities (issuer, subject, user_id, email, linked_at, used_at)
      VALUES (?1, ?2, ?3, '', 1, 1)`,
    ISSUER,
    `subject ${n}`,
    userId,
  );
  await run(
    `INSERT INTO auth_flows (id, code_hash, challenge, next, user_id, network, expires_at)
      VALUES (?1, ?2, 'c', '/', ?3, '', ?4)`,
    `flow ${n}`,
    hashToken(`flow ${n}`),
    userId,
    end,
  );
  for (const purpose of ['add', 'prove'])
    await run(
      `INSERT INTO auth_passkey_challenges (token_hash, purpose, network, expires_at)
        VALUES (?1, ?2, '', ?3)`,
      hashToken(`${purpose} ${n}`),
      purpose,
      end,
    );
}

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

/**
 * Returns the request of a route's `change`. Throws if there is none: a new route needs an entry in
 * `changes`.
 */
export function requestOf(
  route: string,
  change: Change | undefined,
): { method: string; path: string; json?: unknown } {
  if (change === undefined)
    throw new Error(`Add a request for ${route} to worker/testing/rich-account.ts.`);
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(change.path?.[name] ?? 'missing'),
  );
  return { method, path, ...(change.json === undefined ? {} : { json: change.json }) };
}
