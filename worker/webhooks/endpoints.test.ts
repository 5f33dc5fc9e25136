import { env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PLANS } from '#contract/site.ts';
import type { AccountExport } from '#contract/account/account.ts';
import type {
  CreatedWebhook,
  DeliveriesResponse,
  WebhookDelivery,
  WebhooksResponse,
} from '#contract/webhooks/webhooks.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { inOneMinute } from '#worker/testing/minute.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { findInDatabase } from '#worker/testing/scan.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded } from '#worker/testing/sign-in.ts';
import { deliveriesOf, heldQueue, makeEndpoint, makeNetwork } from '#worker/testing/webhooks.ts';
import { changeEndpoint } from './manage-endpoints.ts';

const EVENTS = ['link.clicked', 'link.created'];
const create = (person: Person, json: object, overrides: Partial<Env> = {}) =>
  call(
    '/api/webhooks',
    {
      json: { url: 'https://hooks.example/hop', events: EVENTS, ...json },
      headers: person.headers,
    },
    overrides,
  );
const list = async (person: Person): Promise<WebhooksResponse> =>
  (await call('/api/webhooks', { headers: person.headers })).json();

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('POST and GET /api/webhooks', () => {
  it('[T44] the API returns a webhook’s secret once, and stores none', async () => {
    const person = await makePerson();
    const response = await create(person, {
      description: ' Orders ',
      url: 'https://hooks.example/in?k=1#part',
    });
    expect(response.status).toBe(201);
    const { secret, ...shown } = await response.json<CreatedWebhook>();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      id: expect.any(String),
      url: 'https://hooks.example/in?k=1',
      tag: null,
      description: 'Orders',
      events: ['link.created', 'link.clicked'],
      createdAt: expect.stringMatching(/Z$/),
      disabled: null,
      failingSince: null,
      previousSecretUntil: null,
    });
    expect(await list(person)).toEqual({
      webhooks: [shown],
      limits: { endpoints: 2, deliveriesPerDay: 1000 },
      notSent: 0,
    });
    expect(await findInDatabase(new RegExp(secret.slice(6, 40).replaceAll(/[+/]/g, '.')))).toEqual(
      [],
    );
  });

  it('[T43] endpoints reject addresses that the link policy, blocklist or https rules out', async () => {
    const person = await makePerson();
    await env.DB.prepare(
      "INSERT INTO blocklist (kind, value, created_at) VALUES ('host', 'evil.example', 1)",
    ).run();
    for (const url of [
      'http://hooks.example/',
      'https://10.0.0.7/',
      'https://0x7f.1/',
      'https://[::ffff:127.0.0.1]/',
      'https://localhost/',
      'https://metadata.internal/',
      'https://user:secret@hooks.example/',
      'https://localhost:8787/api/health',
      'https://bit.ly/x',
      'https://evil.example/',
      'https://hooks.example:22/',
      'ftp://hooks.example/',
      '',
    ]) {
      const response = await create(person, { url });
      expect([response.status, await response.json()], url).toMatchObject([400, { field: 'url' }]);
    }
    const { id } = await makeEndpoint(person);
    const change = {
      method: 'PATCH',
      json: { url: 'https://127.0.0.1/' },
      headers: person.headers,
    };
    expect((await call(`/api/webhooks/${id}`, change)).status).toBe(400);
  });

  it('an account has as many endpoints as the plan includes, also when requests race', async () => {
    const person = await makePerson();
    const all = await Promise.all(Array.from({ length: 5 }, () => create(person, {})));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(PLANS.free.webhooks);
    expect(await all.find(({ status }) => status !== 201)?.json()).toMatchObject({
      code: 'conflict',
    });
  });

  it('[A19] a new endpoint is told to the owner by mail and log, without its address', async () => {
    const person = await signInEmbedded();
    const made = await create(person, { url: 'https://hooks.example/secret-path' }, EMBEDDED);
    const { id } = await made.json<CreatedWebhook>();
    const [mail] = await mailsTo(person.email);
    expect(mail?.text).toContain('hooks.example');
    expect(mail?.link).toBe('http://localhost:8787/settings/webhooks');
    const ask = (method: string, path: string, json: object) =>
      call(`/api/webhooks/${id}${path}`, { method, json, headers: person.headers }, EMBEDDED);
    expect((await ask('PATCH', '', { url: 'https://other.example/' })).status).toBe(200);
    expect((await mailsTo(person.email)).map(({ text }) => text).join()).toContain('other.example');
    expect((await ask('PATCH', '', { enabled: false })).status).toBe(200);
    expect((await ask('POST', '/rotate', {})).status).toBe(200);
    expect((await ask('DELETE', '', {})).status).toBe(200);
    const { results } = await env.DB.prepare(
      'SELECT action, after FROM admin_log WHERE admin_id = ?1 ORDER BY id',
    )
      .bind(person.id)
      .all();
    expect(results.map(({ action }) => action)).toEqual([
      'create_webhook',
      'change_webhook',
      'change_webhook',
      'rotate_webhook',
      'delete_webhook',
    ]);
    const after = results.map((row) => JSON.parse(String(row['after'])));
    expect(after.map(({ host, enabled }) => [host, enabled])).toEqual([
      ['hooks.example', true],
      ['other.example', true],
      ['other.example', false],
      ['other.example', false],
      ['other.example', false],
    ]);
    expect(new Set(after.map(({ events }) => events))).toEqual(
      new Set(['link.created link.clicked']),
    );
    expect(JSON.stringify(results)).not.toContain('secret-path');
  });

  it('[A19] endpoints end when the owner of the mailbox takes the account back', async () => {
    const { email, headers, id } = await signInEmbedded();
    expect((await create({ id, email, headers }, {}, EMBEDDED)).status).toBe(201);
    await env.DB.prepare('UPDATE auth_users SET proven_at = NULL WHERE id = ?1').bind(id).run();
    await call('/api/auth/v1/recover', { json: { email } }, EMBEDDED);
    const mail = (await mailsTo(email)).find(({ subject }) => subject.includes('Reset'));
    expect((await pressLink(mail)).status).toBe(200);
    expect(
      await env.DB.prepare('SELECT count(*) AS n FROM webhook_endpoints WHERE user_id = ?1')
        .bind(id)
        .first('n'),
    ).toBe(0);
  });
});

describe('a webhook', () => {
  it('[A19] a webhook keeps a stop and a new address that another change makes meanwhile', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const path = `/api/webhooks/${endpoint.id}`;
    const patch = async (json: object) => {
      expect((await call(path, { method: 'PATCH', json, headers: person.headers })).status).toBe(
        200,
      );
    };
    /** Changes the description, while `json` is changed between its read and its write. */
    const during = (json: object) => {
      const db = openDb(
        aroundD1(env.DB, async (name, run) => {
          if (name === 'd1.batch') await patch(json);
          return run();
        }),
      );
      const policy = { ownHosts: [], shorteners: new Set<string>() };
      const context = {
        db,
        authSecret: 'x',
        policy,
        own: { domains: [], allowed: new Set<string>() },
        reputation: null,
        allowsLoopback: false,
        keyName: null,
      };
      return changeEndpoint({ ...context, now: Date.now() }, person.id, endpoint.id, {
        description: 'late',
      });
    };
    expect((await during({ enabled: false })).ok).toBe(true);
    expect((await list(person)).webhooks[0]).toMatchObject({
      description: 'late',
      disabled: { by: 'owner' },
    });
    expect(await during({ url: 'https://mine.example/hop' })).toMatchObject({
      ok: false,
      reason: 'webhook_changed',
    });
    expect((await list(person)).webhooks[0]?.url).toBe('https://mine.example/hop');
  });

  it('[T23] only the owner finds a webhook', async () => {
    const owner = await makePerson();
    const { id } = await makeEndpoint(owner);
    const { headers } = await makePerson();
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/1/replay'],
    ] as const) {
      const body = method === 'GET' ? {} : { json: { enabled: false } };
      expect(
        (await call(`/api/webhooks/${id}${path}`, { method, ...body, headers })).status,
        path,
      ).toBe(404);
    }
    expect((await list(owner)).webhooks).toHaveLength(1);
  });

  it('a webhook gets a test event and deliveries again, and shows the answers', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person, { events: ['link.created'] });
    let status = 500;
    const { fetcher, received } = makeNetwork(() => new Response('<b>hello</b>', { status }));
    vi.stubGlobal('fetch', fetcher);
    const post = async (path: string) => {
      const response = await call(`/api/webhooks/${endpoint.id}${path}`, {
        json: {},
        headers: person.headers,
      });
      return { status: response.status, body: await response.json<WebhookDelivery>() };
    };
    expect((await post('/test')).body).toMatchObject({
      type: 'webhook.test',
      status: 'failed',
      attempts: 1,
      nextAttemptAt: null,
      response: { status: 500, text: '<b>hello</b>' },
      error: 'The endpoint answered 500.',
    });
    const queue = heldQueue();
    await call(
      '/api/shorten',
      { json: { longUrl: 'https://example.com/' }, headers: person.headers },
      queue,
    );
    const [, event] = await deliveriesOf(endpoint);
    const replay = `/deliveries/${event?.id}/replay`;
    expect((await post(replay)).status).toBe(409);
    expect((await post('/deliveries/999999/replay')).status).toBe(404);
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE id = ?1",
    )
      .bind(event?.id)
      .run();
    expect((await post(replay)).body).toMatchObject({
      status: 'waiting',
      attempts: 1,
      nextAttemptAt: expect.any(String),
    });
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE id = ?1",
    )
      .bind(event?.id)
      .run();
    status = 200;
    const replayed = await post(replay);
    expect(replayed.body).toMatchObject({ status: 'delivered', error: null });
    expect(received.at(-1)?.headers['webhook-id']).toBe(event?.message_id);
    const page = await call(`/api/webhooks/${endpoint.id}/deliveries`, { headers: person.headers });
    const { deliveries, nextCursor } = await page.json<DeliveriesResponse>();
    expect([deliveries.map(({ type }) => type), nextCursor]).toEqual([
      ['link.created', 'webhook.test'],
      null,
    ]);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({
      data: { link: { url: 'https://example.com/' } },
    });
  });

  it('[T43] a webhook sends at most ten tests a minute', async () => {
    vi.stubGlobal('fetch', makeNetwork(() => new Response(null, { status: 204 })).fetcher);
    await inOneMinute(async () => {
      const person = await makePerson();
      const { id } = await makeEndpoint(person);
      const answers: number[] = [];
      for (let i = 0; i < 12; i += 1)
        answers.push(
          (await call(`/api/webhooks/${id}/test`, { json: {}, headers: person.headers })).status,
        );
      expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
    });
  });

  it('[T34] a webhook is exported without its secret, and goes with the account', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person, { url: `https://hooks.example/${person.email}` });
    await call(
      '/api/shorten',
      { json: { longUrl: `https://example.com/${person.email}` }, headers: person.headers },
      heldQueue(),
    );
    const text = await (await call('/api/account/export', { headers: person.headers })).text();
    const { webhooks }: AccountExport = JSON.parse(text);
    expect(webhooks).toMatchObject([{ id: endpoint.id, url: endpoint.url }]);
    expect(text).not.toContain(endpoint.secret);
    const json = { confirm: 'delete my account', links: 'remove' };
    expect(
      (await call('/api/account', { method: 'DELETE', json, headers: person.headers })).status,
    ).toBe(200);
    expect(
      await findInDatabase(
        new RegExp(`${person.id}|${person.email.replaceAll('.', '\\.')}|${endpoint.id}`),
      ),
    ).toEqual([expect.stringContaining('admin_log.after')]);
  });
});
