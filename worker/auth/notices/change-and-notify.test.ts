import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CreatedApiKey } from '#contract/api/api-keys.ts';
import type { CreatedWebhook } from '#contract/webhooks/webhooks.ts';
import worker from '#worker/index.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { EMBEDDED, mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';

const NEW_KEY = { name: 'CI', scopes: ['links:read'] };
const NEW_HOOK = { url: 'https://hooks.example/in', description: '', events: ['link.created'] };
const DEMO = { ...EMBEDDED, BILLING: 'demo' };
const fill = (purpose: string, count: number) =>
  env.DB.prepare('UPDATE counters SET count = ? WHERE key LIKE ?')
    .bind(count, `auth:${purpose}:%`)
    .run();
const keysOf = (userId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM api_keys WHERE user_id = ?')
    .bind(userId)
    .first<number>('n');
const stored = async () => {
  const tables = ['api_keys', 'webhook_endpoints', 'subscriptions', 'auth_users'];
  const rows = tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1`).all());
  return (await Promise.all(rows)).map(({ results }) => results);
};

/** A Premium member with a key and a webhook whose notices for the day are used up. */
async function makeNotifiedMember() {
  const person = await signInEmbedded();
  const { headers, password } = person;
  const ask = (method: string, path: string, json?: object) =>
    call(path, { method, headers, ...(json === undefined ? {} : { json }) }, DEMO);
  await ask('POST', '/api/subscription', {});
  const key = await (await ask('POST', '/api/keys', NEW_KEY)).json<CreatedApiKey>();
  const hook = await (await ask('POST', '/api/webhooks', NEW_HOOK)).json<CreatedWebhook>();
  await ask('POST', '/api/subscription/downgrade', { when: 'cycle_end' });
  await ask('DELETE', '/api/subscription/downgrade');
  await ask('PUT', '/api/auth/v1/user', { password: 'another horse', current_password: password });
  await fill('key-notice', 30);
  await fill('plan-notice', 10);
  await fill('notice', 5);
  return { ...person, password: 'another horse', key, hook, ask };
}

beforeEach(stopClock);
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.exec('DELETE FROM counters');
});

describe('changes that their owner is told about', () => {
  it('[A19] changes happen only as long as the owner can be told on that day', async () => {
    const { key, hook, password, email, ask } = await makeNotifiedMember();
    const mails = await mailsTo(email);
    const before = await stored();
    const deletion = { confirm: 'delete my account', links: 'keep', currentPassword: password };
    for (const [method, path, json] of [
      ['POST', '/api/keys', NEW_KEY],
      ['POST', `/api/keys/${key.id}/rotate`, {}],
      ['POST', '/api/webhooks', NEW_HOOK],
      ['PATCH', `/api/webhooks/${hook.id}`, { url: 'https://thief.example/' }],
      ['POST', '/api/subscription/downgrade', { when: 'now' }],
      ['DELETE', '/api/account', deletion],
      ['PUT', '/api/auth/v1/user', { password: 'thief horse', current_password: password }],
    ] as const) {
      const answer = await ask(method, path, json);
      expect([path, answer.status, answer.headers.get('Retry-After')]).toEqual([
        path,
        429,
        '86400',
      ]);
    }
    expect(await stored()).toEqual(before);
    expect(await mailsTo(email)).toEqual(mails);
    const refused = await ask('POST', '/api/keys', NEW_KEY);
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      upgradeRequired: false,
      error:
        "We email you about every change like this one, and you have reached the day's limit. Try again in 24 hours.",
    });
    // Removing a right needs no email.
    expect((await ask('PATCH', `/api/webhooks/${hook.id}`, { enabled: false })).status).toBe(200);
    expect((await ask('DELETE', `/api/webhooks/${hook.id}`)).status).toBe(200);
    expect((await ask('DELETE', `/api/keys/${key.id}`)).status).toBe(200);
  });

  it('[T55] [A19] owners are told about changes whatever else the network has had sent', async () => {
    const sent: unknown[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
    const open = {
      ...EMBEDDED,
      DEV_MAILBOX: 'off',
      MAIL_FROM: 'hop@example.com',
      EMAIL,
      AUTH_AUTOCONFIRM: 'on',
    };
    const from = { 'CF-Connecting-IP': '198.51.100.90' };
    const owner = await signInEmbedded();
    await call(
      '/api/auth/v1/recover',
      { json: { email: 'thief@example.com' }, headers: from },
      open,
    );
    for (const purpose of ['mails-hour', 'mails-day', 'mails-all']) await fill(purpose, 3_000);
    expect(
      (
        await call(
          '/api/auth/v1/recover',
          { json: { email: 'a@example.com' }, headers: from },
          open,
        )
      ).status,
    ).toBe(429);
    const created = await call(
      '/api/keys',
      { json: NEW_KEY, headers: { ...from, ...owner.headers } },
      open,
    );
    expect(created.status).toBe(201);
    expect(sent).toEqual([expect.objectContaining({ to: owner.email })]);
  });

  it('changes are made without a mail where the server can send none', async () => {
    const { id, ask, headers } = await makeNotifiedMember();
    const silent = { ...EMBEDDED, DEV_MAILBOX: 'off', MAIL_FROM: '' };
    expect((await ask('POST', '/api/keys', NEW_KEY)).status).toBe(429);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect((await call('/api/keys', { json: NEW_KEY, headers }, silent)).status).toBe(201);
    expect(await keysOf(id)).toBe(2);
    expect(log.mock.calls.join()).toContain('auth_mail_not_configured');
  });

  it('a change that fails does not count toward the limit of notices', async () => {
    const { headers } = await signInEmbedded();
    const expired = { ...NEW_KEY, expiresAt: '2020-01-01T00:00:00Z' };
    for (let i = 0; i < 3; i += 1)
      expect((await call('/api/keys', { json: expired, headers }, EMBEDDED)).status).toBe(400);
    expect((await call('/api/keys', { json: NEW_KEY, headers }, EMBEDDED)).status).toBe(201);
    const count = await env.DB.prepare(
      `SELECT count FROM counters WHERE key LIKE 'auth:key-notice:%'`,
    ).first<number>('count');
    expect(count).toBe(1);
  });

  it.each([
    ['POST', '/api/webhooks', NEW_HOOK, 'webhook_endpoints'],
    [
      'PUT',
      '/api/auth/v1/user',
      { password: 'another horse', current_password: 'correct horse' },
      'auth_users',
    ],
  ])(
    '[A19] owners are told although the client disconnected: %s %s',
    async (method, path, json, table) => {
      const { headers, email } = await signInEmbedded();
      const ctx = createExecutionContext();
      const waiting = vi.spyOn(ctx, 'waitUntil');
      const before = await env.DB.prepare(`SELECT * FROM ${table}`).all();
      const seen: boolean[] = [];
      // Records, after every batch that stores the change, whether the request is kept alive.
      const DB = aroundD1(env.DB, async (name, run) => {
        const result = await run();
        if (name !== 'd1.batch') return result;
        const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
        if (JSON.stringify(results) !== JSON.stringify(before.results))
          seen.push(waiting.mock.calls.length > 0);
        return result;
      });
      const init = {
        method,
        body: JSON.stringify(json),
        headers: { ...headers, 'Content-Type': 'application/json' },
      };
      const request = new Request(ORIGIN + path, init);
      expect((await worker.fetch(request, { ...env, ...EMBEDDED, DB }, ctx)).ok).toBe(true);
      await waitOnExecutionContext(ctx);
      expect(seen.length).toBeGreaterThan(0);
      expect(new Set(seen)).toEqual(new Set([true]));
      expect(await mailsTo(email)).toHaveLength(1);
    },
  );
});
