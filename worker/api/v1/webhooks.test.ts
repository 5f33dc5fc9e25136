import { env } from 'cloudflare:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import type { V1DeliveryList, V1WebhookList } from '#contract/webhooks/v1-webhooks.ts';
import type { CreatedWebhook } from '#contract/webhooks/webhooks.ts';
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { makePerson } from '#worker/testing/make.ts';
import { EMBEDDED, signInEmbedded } from '#worker/testing/sign-in.ts';
import { deliver, deliveriesOf, heldQueue, makeNetwork } from '#worker/testing/webhooks.ts';
import { deleteOldDeliveries } from '#worker/webhooks/delete-old-deliveries.ts';
import { WEBHOOK_SHAPES } from './shapes/webhook-shapes.ts';

const queue = heldQueue();
const LOCAL = 'http://localhost:3000/hook?a=1';
const url = 'https://hooks.example/in';

async function create(json: object) {
  const holder = await makeKey({ person: await makePerson({ plan: 'premium' }) });
  const created = await send(holder, 'POST /webhooks', { json }, queue);
  expect(created.status).toBe(201);
  const webhook = await created.json<CreatedWebhook>();
  const deliveries = async (search = '') =>
    (await send(holder, `GET /webhooks/${webhook.id}/deliveries${search}`)).json<V1DeliveryList>();
  const shorten = () =>
    send(holder, 'POST /links', { json: { url: 'https://example.com/' } }, queue);
  return { holder, webhook, deliveries, shorten, path: `/webhooks/${webhook.id}` };
}

describe('webhooks by key', () => {
  it('a key manages webhooks, and each change is in the audit log with its name', async () => {
    const { holder, webhook, path } = await create({ url });
    expect(webhook).toMatchObject({ url, tag: null, description: '' });
    expect(webhook.events).toEqual(WEBHOOK_EVENTS);
    const { secret, ...shown } = webhook;
    expect(await (await send(holder, `GET ${path}`)).json()).toEqual(shown);
    const list = await (await send(holder, 'GET /webhooks')).json<V1WebhookList>();
    expect(list.data).toEqual([shown]);
    const changed = await send(holder, `PATCH ${path}`, { json: { enabled: false } });
    expect(await changed.json()).toMatchObject({ disabled: { by: 'owner' } });
    const rotated = await send(holder, `POST ${path}/rotate`, { json: { overlapHours: 1 } });
    const next = await rotated.json<CreatedWebhook>();
    expect([next.secret === secret, next.previousSecretUntil === null]).toEqual([false, false]);
    expect((await send(holder, `DELETE ${path}`)).status).toBe(204);
    expect((await send(holder, `GET ${path}`)).status).toBe(404);
    const { results } = await env.DB.prepare(
      `SELECT action, after ->> 'key' AS key FROM admin_log WHERE admin_id = ?1
       AND action LIKE '%_webhook' ORDER BY id`,
    )
      .bind(holder.person.id)
      .all();
    expect(results).toEqual(
      ['create', 'change', 'rotate', 'delete'].map((name) => ({
        action: `${name}_webhook`,
        key: holder.key.name,
      })),
    );
  });

  it('[A19] a webhook that a key adds is told to the owner by mail', async () => {
    const person = await signInEmbedded();
    const key = await call(
      '/api/keys',
      {
        json: { name: 'A key', scopes: ['webhooks:write'] },
        headers: person.headers,
      },
      EMBEDDED,
    );
    const { key: secret } = await key.json<{ key: string }>();
    const headers = { Authorization: `Bearer ${secret}` };
    const mails = () =>
      env.DB.prepare('SELECT subject FROM dev_mails WHERE "to" = ?1 ORDER BY id DESC LIMIT 1')
        .bind(person.email)
        .first<string>('subject');
    await call('/api/v1/webhooks', { json: { url: null }, headers }, EMBEDDED);
    expect(await mails()).not.toContain('webhook');
    await call('/api/v1/webhooks', { json: { url }, headers }, EMBEDDED);
    expect(await mails()).toContain('webhook');
  });

  it('[T41] a key with a code prefix or of another account manages no webhook', async () => {
    const { holder, path } = await create({ url });
    const prefixed = await makeKey({ person: holder.person, codePrefix: 'p-' });
    const stranger = await makeKey();
    for (const route of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/test`]) {
      expect((await send(prefixed, route)).status).toBe(403);
      expect((await send(stranger, route)).status).toBe(404);
    }
    expect((await send(prefixed, 'GET /webhooks')).status).toBe(403);
  });

  it('deliveries have pages and the signed body, and are sent again', async () => {
    const { holder, webhook, deliveries, shorten, path } = await create({ url });
    await shorten();
    const links = Array.from({ length: 51 }, (_, i) => ({ url: `https://example.com/${i}` }));
    await send(holder, 'POST /links/bulk', { json: { links } }, queue);
    const rows = await deliveriesOf(webhook);
    const fails = makeNetwork(() => new Response('no', { status: 500 }));
    await deliver([{ id: rows[0]?.id ?? 0, attempt: 0 }], fails.fetcher);
    await env.DB.prepare('UPDATE webhook_deliveries SET duration_ms = 7 WHERE id = ?1')
      .bind(rows[0]?.id)
      .run();
    const first = await deliveries();
    expect([first.data.length, first.nextCursor]).toEqual([50, first.data[49]?.id]);
    const second = await deliveries(`?cursor=${first.nextCursor}`);
    expect([second.data.length, second.nextCursor]).toEqual([2, null]);
    const last = second.data[1];
    expect(last).toMatchObject({
      id: rows[0]?.message_id,
      type: 'link.created',
      status: 'waiting',
      createdAt: new Date(rows[0]?.created_at ?? 0).toISOString(),
      nextAttemptAt: new Date((await deliveriesOf(webhook))[0]?.due_at ?? 0).toISOString(),
      response: { status: 500, text: 'no', durationMs: 7 },
      body: fails.received[0]?.body.replaceAll('https://hop.example', 'http://localhost:8787'),
    });
    expect((await send(holder, `GET ${path}/deliveries?cursor=msg_x`)).status).toBe(400);
    const again = (id: string) => send(holder, `POST ${path}/deliveries/${id}/redeliver`);
    expect((await again(String(last?.id))).status).toBe(409);
    expect((await again('msg_x')).status).toBe(404);
    expect((await again(String(rows[0]?.id))).status).toBe(404);
  });

  it('an attempt waits for an answer as long as the OpenAPI document says', async () => {
    const { webhook, shorten } = await create({ url });
    await shorten();
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const [row] = await deliveriesOf(webhook);
    await deliver([{ id: row?.id ?? 0, attempt: 0 }], makeNetwork(() => new Response()).fetcher);
    const [ms = 0] = timeout.mock.lastCall ?? [];
    timeout.mockRestore();
    for (const name of ['WebhookInput', 'WebhookPatch']) {
      const shape = WEBHOOK_SHAPES.find((one) => one.name === name);
      expect(shape?.members['url']).toContain(`answers 2xx within ${ms / 1000} seconds.`);
    }
  });

  it('a webhook without an address stores events with no request, and ends unread', async () => {
    const { holder, webhook, deliveries, shorten, path } = await create({ url: null });
    expect(webhook.url).toBeNull();
    await shorten();
    const [row] = await deliveriesOf(webhook);
    const { fetcher, received } = makeNetwork(() => new Response());
    await deliver([{ id: row?.id ?? 0, attempt: 0 }], fetcher);
    expect(received).toEqual([]);
    expect((await deliveries()).data).toMatchObject([{ status: 'delivered', response: null }]);
    const again = `POST ${path}/deliveries/${row?.message_id}/redeliver`;
    expect((await send(holder, again)).status).toBe(409);
    const test = await send(holder, `POST ${path}/test`);
    expect(await test.json()).toMatchObject({ type: 'webhook.test', status: 'delivered' });
    const endAfter = async (ms: number) => {
      await deleteOldDeliveries(env, Date.now() + ms);
      return (await send(holder, `GET ${path}`)).status;
    };
    expect(await endAfter(HOUR_MS - 60_000)).toBe(200);
    expect(await endAfter(HOUR_MS + 60_000)).toBe(404);
  });
});

describe('an address of this machine', () => {
  const DEVELOPMENT = { DEV_MAILBOX: 'on' };

  it('[T43] the API accepts one in development only', async () => {
    const holder = await makeKey();
    const ask = (given: string, overrides: Partial<Env>, origin?: string) =>
      send(
        holder,
        'POST /webhooks',
        { json: { url: given }, ...(origin ? { origin } : {}) },
        {
          ...queue,
          ...overrides,
        },
      );
    const made = await ask(LOCAL, DEVELOPMENT);
    expect([made.status, (await made.json<CreatedWebhook>()).url]).toEqual([201, LOCAL]);
    for (const deployed of [
      { DEV_MAILBOX: 'off' },
      { DEV_MAILBOX: 'off', APP_ORIGIN: 'https://hop.example' },
      { ...DEVELOPMENT, APP_ORIGIN: 'https://hop.example' },
    ])
      for (const given of [LOCAL, 'http://127.0.0.1:3000/', 'http://[::1]/', 'https://localhost/'])
        expect((await ask(given, deployed)).status, given).toBe(400);
    for (const given of ['ftp://localhost/', 'http://192.168.0.1/', 'http://localhost.example/'])
      expect((await ask(given, DEVELOPMENT)).status, given).toBe(400);
  });

  it('[T43] the queue sends to one in development only, signed as everywhere', async () => {
    const holder = await makeKey();
    const json = { url: LOCAL };
    const made = await send(holder, 'POST /webhooks', { json }, { ...queue, ...DEVELOPMENT });
    const webhook = await made.json<CreatedWebhook>();
    await send(holder, 'POST /links', { json: { url: 'https://example.com/' } }, queue);
    const [row] = await deliveriesOf(webhook);
    const { fetcher, received } = makeNetwork(() => new Response(), {
      localhost: ['127.0.0.1'],
    });
    await deliver([{ id: row?.id ?? 0, attempt: 0 }], fetcher);
    expect(received).toEqual([]);
    expect(await deliveriesOf(webhook)).toMatchObject([
      { error: 'The host of the endpoint has a private address.' },
    ]);
    await deliver([{ id: row?.id ?? 0, attempt: 1 }], fetcher, { allowsLoopback: true });
    const [request] = received;
    expect(request?.url).toBe(LOCAL);
    const verify = () =>
      new Verifier(webhook.secret).verify(request?.body ?? '', request?.headers ?? {});
    expect(verify).not.toThrow();
  });
});
