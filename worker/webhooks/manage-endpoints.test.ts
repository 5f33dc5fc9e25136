import { env } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type {
  CreatedWebhook,
  DeliveriesResponse,
  WebhooksResponse,
} from '#contract/webhooks/webhooks.ts';
import { READER } from '#worker/testing/link-ids.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from '#worker/testing/call.ts';
import { aroundD1 } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { EMBEDDED, mailsTo, signInEmbedded } from '#worker/testing/sign-in.ts';
import {
  deliver,
  deliveriesOf,
  heldQueue,
  makeEndpoint,
  makeNetwork,
} from '#worker/testing/webhooks.ts';
import { NO_SETTINGS } from '#worker/db/link-settings.ts';
import { NO_ADDRESS, toWebhook } from '#worker/events/webhook-json.ts';
import { findEndpoint, insertEndpoint, recordRead, type EndpointRow } from './endpoint-store.ts';
import { eventBody } from './event-body.ts';
import { rotateSecret } from './manage-endpoints.ts';
import { secretOf, signatureHeaders } from './sign.ts';

type Endpoint = { id: string };
const patch = (person: Person, { id }: Endpoint, json: object, overrides: Partial<Env> = {}) =>
  call(`/api/webhooks/${id}`, { method: 'PATCH', json, headers: person.headers }, overrides);
const list = async (person: Person) =>
  (await (await call('/api/webhooks', { headers: person.headers })).json<WebhooksResponse>())
    .webhooks;

/** Inserts deliveries of a test event that were made already. Returns their ids. */
async function insertDelivered(endpoint: Endpoint, count: number): Promise<number[]> {
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, created_at)
     SELECT ?1, 'm' || value, 'webhook.test', 0, '{}', 'delivered', 1 FROM json_each(?2)`,
  )
    .bind(endpoint.id, JSON.stringify(Array.from({ length: count }, (_, i) => i)))
    .run();
  return (await deliveriesOf(endpoint)).map(({ id }) => id);
}

describe('changeEndpoint', () => {
  it('keeps when and why an endpoint was first disabled', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const at = Date.now() - DAY_MS;
    await env.DB.prepare(
      "UPDATE webhook_endpoints SET disabled_at = ?1, disabled_by = 'gone' WHERE id = ?2",
    )
      .bind(at, endpoint.id)
      .run();
    await patch(person, endpoint, { enabled: false, description: 'again' });
    expect(await list(person)).toMatchObject([
      { description: 'again', disabled: { at: new Date(at).toISOString(), by: 'gone' } },
    ]);
  });

  it('finds a tag in any spelling, and takes it away again', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    await call('/api/tags', { json: { name: 'Caf\u00e9' }, headers: person.headers });
    const tagAfter = async (tag: string | null) => {
      await patch(person, endpoint, { tag });
      return (await list(person))[0]?.tag;
    };
    expect(await tagAfter('cafe\u0301')).toBe('Caf\u00e9');
    expect(await tagAfter(null)).toBeNull();
  });

  it('accepts an address that the reputation service does not know, and none it blocks', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    onTestFinished(() => void vi.unstubAllGlobals());
    const change = async (answer: object) => {
      vi.stubGlobal('fetch', async () => Response.json(answer));
      const json = { url: `https://${crypto.randomUUID()}.example/` };
      const REPUTATION_DOH_URL = 'https://resolver.example/dns-query';
      return (await patch(person, endpoint, json, { REPUTATION_DOH_URL })).status;
    };
    expect(await change({ Status: 2 })).toBe(200);
    expect(await change({ Status: 0, Answer: [{ type: 1, data: '0.0.0.0' }] })).toBe(400);
  });

  it('stops events that wait for their first attempt when it disables an endpoint', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const json = { longUrl: 'https://example.com/' };
    await call('/api/shorten', { json, headers: person.headers }, heldQueue());
    await patch(person, endpoint, { enabled: false });
    const { fetcher, received } = makeNetwork(() => new Response());
    const [event] = await deliveriesOf(endpoint);
    await deliver([{ id: event?.id ?? 0, attempt: 0 }], fetcher);
    expect(received).toEqual([]);
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: 'failed', error: 'The endpoint is disabled.', due_at: null },
    ]);
  });

  it('keeps what its endpoint has answered while its address stays', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const failAfterAnswer = () =>
      env.DB.prepare(
        'UPDATE webhook_endpoints SET answered_at = 1, failing_since = 2 WHERE id = ?1',
      )
        .bind(endpoint.id)
        .run();
    await failAfterAnswer();
    const answers = () =>
      env.DB.prepare('SELECT answered_at, failing_since FROM webhook_endpoints WHERE id = ?1')
        .bind(endpoint.id)
        .first();
    await patch(person, endpoint, { url: endpoint.url, description: 'same address' });
    expect(await answers()).toEqual({ answered_at: 1, failing_since: 2 });
    await patch(person, endpoint, { enabled: true });
    expect(await answers()).toEqual({ answered_at: 1, failing_since: null });
    await failAfterAnswer();
    await patch(person, endpoint, { url: 'https://hooks.example/other' });
    expect(await answers()).toEqual({ answered_at: null, failing_since: null });
  });

  it('mails the owner about a new address only', async () => {
    const person = await signInEmbedded();
    const made = await call(
      '/api/webhooks',
      {
        json: { url: 'https://hooks.example/hop', events: ['link.created'] },
        headers: person.headers,
      },
      EMBEDDED,
    );
    const endpoint = await made.json<CreatedWebhook>();
    const mails = async () => (await mailsTo(person.email)).length;
    const before = await mails();
    await patch(person, endpoint, { url: endpoint.url, events: ['link.deleted'] }, EMBEDDED);
    expect(await mails()).toBe(before);
    await patch(person, endpoint, { url: 'https://hooks.example/other' }, EMBEDDED);
    expect(await mails()).toBe(before + 1);
  });
});

const rowOf = (id: string, userId: string): EndpointRow => ({
  id,
  user_id: userId,
  url: 'https://hooks.example/hop',
  description: '',
  events: '',
  tag: '',
  salt: '',
  previous_salt: null,
  previous_until: null,
  created_at: 1,
  disabled_at: null,
  disabled_by: null,
  failing_since: null,
  answered_at: null,
});

describe('insertEndpoint', () => {
  it('inserts and records none beyond the limit, or for an account that is gone', async () => {
    const { id } = await makePerson();
    const db = openDb(env.DB);
    const by = { now: 1, keyName: null };
    const results = [
      await insertEndpoint(db, rowOf('first', id), 1, by),
      await insertEndpoint(db, rowOf('second', id), 1, by),
      await insertEndpoint(db, rowOf('third', 'nobody'), 1, by),
    ];
    expect(results).toEqual([true, false, false]);
    const { results: log } = await env.DB.prepare(
      "SELECT after ->> 'webhook' AS webhook FROM admin_log WHERE admin_id IN (?1, 'nobody')",
    )
      .bind(id)
      .all();
    expect(log).toEqual([{ webhook: 'first' }]);
  });
});

describe('recordRead', () => {
  it('records every ten minutes that an endpoint without an address is read', async () => {
    const { id } = await makePerson();
    const db = openDb(env.DB);
    const endpoint = { ...rowOf(crypto.randomUUID(), id), url: NO_ADDRESS, answered_at: 1 };
    await insertEndpoint(db, endpoint, 1, { now: 1, keyName: null });
    const readAt = async (now: number) => {
      await recordRead(db, endpoint, now);
      return (await findEndpoint(db, id, endpoint.id))?.answered_at;
    };
    expect(await readAt(10 * MINUTE_MS)).toBe(1);
    expect(await readAt(10 * MINUTE_MS + 1)).toBe(10 * MINUTE_MS + 1);
  });
});

describe('eventBody', () => {
  it('a test event names its webhook', () => {
    const event = { endpoint_id: 'e', link_id: null, sequence: 0, data: '{}', created_at: 5 };
    expect(JSON.parse(eventBody({ ...event, type: 'webhook.test' }, READER))).toEqual({
      type: 'webhook.test',
      timestamp: '1970-01-01T00:00:00.005Z',
      sequence: 0,
      data: { webhookId: 'e' },
    });
  });

  it('shows the status of a link at the time of its event', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const json = { longUrl: 'https://example.com/' };
    await call('/api/shorten', { json, headers: person.headers }, heldQueue());
    const [event] = await deliveriesOf(endpoint);
    if (event === undefined) throw new Error('no event');
    const statusOf = (expiresAt: number): string => {
      const data = JSON.stringify({ ...JSON.parse(event.data), expiresAt });
      return JSON.parse(eventBody({ ...event, data }, READER)).data.link.status;
    };
    const at = event.created_at;
    expect([statusOf(at), statusOf(at + 1)]).toEqual(['expired', 'active']);
    // An event of an earlier release lacks the members that came later.
    const later = new Set([
      ...Object.keys(NO_SETTINGS),
      'importedClicks',
      'card',
      'health',
      'tags',
      'changed',
    ]);
    const old = Object.entries(JSON.parse(event.data)).filter(([name]) => !later.has(name));
    const data = JSON.stringify(Object.fromEntries(old));
    expect(eventBody({ ...event, data }, READER)).toBe(eventBody(event, READER));
  });
});

describe('rotateSecret', () => {
  it('of two rotations at once one fails, and the secret of the other stays', async () => {
    const person = await makePerson();
    const { id } = await makeEndpoint(person);
    let other = '';
    const db = openDb(
      aroundD1(env.DB, async (name, run) => {
        if (name === 'd1.batch') {
          const rotated = await call(`/api/webhooks/${id}/rotate`, {
            json: {},
            headers: person.headers,
          });
          other = (await rotated.json<CreatedWebhook>()).secret;
        }
        return run();
      }),
    );
    const authSecret = env.AUTH_SECRET ?? '';
    expect(
      await rotateSecret({ db, authSecret, now: Date.now(), keyName: null }, person.id, id, 24),
    ).toEqual({
      ok: false,
      reason: 'webhook_changed',
      values: {},
    });
    const salt = await env.DB.prepare('SELECT salt FROM webhook_endpoints WHERE id = ?1')
      .bind(id)
      .first<string>('salt');
    expect(secretOf(authSecret, id, salt ?? '')).toBe(other);
  });

  it('keeps the former secret for 24 hours if the request names no other time', async () => {
    const person = await makePerson();
    const { id } = await makeEndpoint(person);
    const rotated = await call(`/api/webhooks/${id}/rotate`, { json: {}, headers: person.headers });
    const until = Date.parse((await rotated.json<CreatedWebhook>()).previousSecretUntil ?? '');
    expect(Math.round((until - Date.now()) / HOUR_MS)).toBe(24);
  });

  it('shows and uses the former secret until the overlap ends', async () => {
    const person = await makePerson();
    const endpoint = await makeEndpoint(person);
    const before = Date.now();
    await call(`/api/webhooks/${endpoint.id}/rotate`, {
      json: { overlapHours: 3 },
      headers: person.headers,
    });
    const until = Date.parse((await list(person))[0]?.previousSecretUntil ?? '');
    expect(until).toBeGreaterThanOrEqual(before + 3 * HOUR_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + 3 * HOUR_MS);
    const row = await findEndpoint(openDb(env.DB), person.id, endpoint.id);
    if (row === undefined) throw new Error('no endpoint');
    const shown = (now: number) => toWebhook(row, now).previousSecretUntil;
    expect([shown(until - 1), shown(until)]).toEqual([new Date(until).toISOString(), null]);
    const salts = { id: 'e', salt: 'new', previous_salt: 'old', previous_until: until };
    const signatures = (now: number) =>
      signatureHeaders('secret', salts, { messageId: 'm', body: '{}', now })[
        'webhook-signature'
      ]?.split(' ').length;
    expect([signatures(until - 1), signatures(until)]).toEqual([2, 1]);
  });
});

describe('GET /api/webhooks', () => {
  it('lists the newest webhook first', async () => {
    const person = await makePerson();
    const made = [await makeEndpoint(person), await makeEndpoint(person)];
    for (const [i, { id }] of made.entries())
      await env.DB.prepare('UPDATE webhook_endpoints SET created_at = ?1 WHERE id = ?2')
        .bind(i + 1, id)
        .run();
    expect((await list(person)).map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  });
});

describe('GET /api/webhooks/:id/deliveries', () => {
  it('lists the deliveries of one webhook in pages, without clicks that are added up', async () => {
    const person = await makePerson();
    const [endpoint, other] = [await makeEndpoint(person), await makeEndpoint(person)];
    const ids = await insertDelivered(endpoint, 52);
    await insertDelivered(other, 1);
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET status = 'collecting', link_id = 1 WHERE id = ?1",
    )
      .bind(ids[51])
      .run();
    const page = async (cursor: string) =>
      (
        await call(`/api/webhooks/${endpoint.id}/deliveries?cursor=${cursor}`, {
          headers: person.headers,
        })
      ).json<DeliveriesResponse>();
    const first = await page('');
    const second = await page(first.nextCursor ?? '');
    expect([first, second].map(({ deliveries }) => deliveries.map(({ id }) => id))).toEqual([
      ids.slice(1, 51).toReversed(),
      ids.slice(0, 1),
    ]);
    expect(second.nextCursor).toBeNull();
  });
});

describe('POST /api/webhooks/:id/deliveries/:delivery/replay', () => {
  it('[T23] returns 404 for a delivery of another webhook, which is not sent', async () => {
    const person = await makePerson();
    const mine = await makeEndpoint(person);
    const [foreign] = await insertDelivered(await makeEndpoint(await makePerson()), 1);
    const [ofOther] = await insertDelivered(await makeEndpoint(person), 1);
    for (const delivery of [foreign, ofOther]) {
      const path = `/api/webhooks/${mine.id}/deliveries/${delivery}/replay`;
      expect((await call(path, { json: {}, headers: person.headers })).status).toBe(404);
    }
    const { results } = await env.DB.prepare(
      'SELECT status FROM webhook_deliveries WHERE id IN (?1, ?2)',
    )
      .bind(foreign, ofOther)
      .all();
    expect(results).toEqual([{ status: 'delivered' }, { status: 'delivered' }]);
    const counted = 'SELECT count(*) AS n FROM counters WHERE instr(key, ?1) > 0';
    const key = `${person.id}:webhook-events`;
    expect(await env.DB.prepare(counted).bind(key).first('n')).toBe(0);
  });
});

describe('the limit of requests', () => {
  const none = { limit: async () => ({ success: false }) };
  it.each([
    ['POST', '', 'LIMIT_WRITES', { url: 'https://hooks.example/2', events: ['link.created'] }],
    ['PATCH', '/:id', 'LIMIT_WRITES', { description: 'new' }],
    ['POST', '/:id/rotate', 'LIMIT_WRITES', {}],
    ['DELETE', '/:id', 'LIMIT_WRITES', {}],
    ['POST', '/:id/test', 'LIMIT_VISITOR_LINKS', {}],
    ['POST', '/:id/deliveries/1/replay', 'LIMIT_VISITOR_LINKS', {}],
  ] as const)('%s /api/webhooks%s answers 429 beyond %s', async (method, path, limit, json) => {
    const person = await makePerson();
    const { id } = await makeEndpoint(person);
    const response = await call(
      `/api/webhooks${path.replace(':id', id)}`,
      { method, json, headers: person.headers },
      { [limit]: none, ...heldQueue() },
    );
    expect(response.status).toBe(429);
    expect(await list(person)).toMatchObject([{ id, description: '', previousSecretUntil: null }]);
  });
});
