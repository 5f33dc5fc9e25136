import { env } from 'cloudflare:test';
import { asc, eq } from 'drizzle-orm';
import type { CreatedWebhook } from '#contract/webhooks/webhooks.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '#contract/webhooks/webhook-events.ts';
import { HOUR_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import { webhook_deliveries } from '#worker/db/schema-api.ts';
import { deliverAttempts, type DeliverOptions } from '#worker/webhooks/deliver.ts';
import type { AttemptMessage } from '#worker/events/dispatch.ts';
import type { OwnDomains } from '#worker/safety/own-domain.ts';
import type { KeyHolder } from './api-key.ts';
import { call } from './call.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { makePerson, type Person } from './make.ts';
import { HOP } from './link-ids.ts';

const db = openDb(env.DB);

/**
 * A queue that stores its messages instead of delivering them, so that no consumer runs beside a
 * test.
 */
export function heldQueue(): { WEBHOOKS: Queue; messages: AttemptMessage[] } {
  const messages: AttemptMessage[] = [];
  const sendBatch = async (batch: Iterable<MessageSendRequest<AttemptMessage>>): Promise<void> => {
    for (const { body } of batch) messages.push(body);
  };
  return { WEBHOOKS: withMethods(env.WEBHOOKS, { sendBatch }), messages };
}

export async function makeEndpoint(
  person: Person,
  {
    events = [...WEBHOOK_EVENTS],
    url = 'https://hooks.example/hop',
  }: { events?: WebhookEventType[]; url?: string } = {},
): Promise<CreatedWebhook> {
  const response = await call('/api/webhooks', { json: { url, events }, headers: person.headers });
  if (response.status !== 201) throw new Error(await response.text());
  return response.json();
}

/** A member whose endpoint has `count` deliveries that are due. */
export async function withDue(count: number, options: { url?: string; answered?: boolean } = {}) {
  const person = await makePerson();
  const endpoint = await makeEndpoint(person, {
    url: options.url ?? `https://${crypto.randomUUID()}.example/hop`,
  });
  const due = Date.now() - HOUR_MS;
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, due_at, created_at)
     SELECT ?1, 'm' || value, 'webhook.test', 1, '{}', 'pending', ?2, ?2 FROM json_each(?3)`,
  )
    .bind(endpoint.id, due, JSON.stringify(Array.from({ length: count }, (_, i) => i)))
    .run();
  if (options.answered === true)
    await env.DB.prepare('UPDATE webhook_endpoints SET answered_at = 1 WHERE id = ?1')
      .bind(endpoint.id)
      .run();
  return { person, endpoint };
}

export const deliveriesOf = ({ id }: { id: string }) =>
  db
    .select()
    .from(webhook_deliveries)
    .where(eq(webhook_deliveries.endpoint_id, id))
    .orderBy(asc(webhook_deliveries.id))
    .all();

export type ReceivedRequest = { url: string; headers: Record<string, string>; body: string };
type Addresses = Record<string, string[]>;

/**
 * The network as an endpoint sees it: a resolver that knows `addresses` (by default a public one),
 * and a receiver that responds with `respond`. `received` are its requests.
 */
export function makeNetwork(
  respond: (request: ReceivedRequest) => Response | Promise<Response>,
  addresses: Addresses = {},
) {
  const received: ReceivedRequest[] = [];
  const fetcher = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === 'cloudflare-dns.com') {
      const isV6 = url.searchParams.get('type') === 'AAAA';
      const all = addresses[url.searchParams.get('name') ?? ''] ?? ['93.184.215.14'];
      const data = all.filter((address) => address.includes(':') === isV6);
      return Response.json({ Status: 0, Answer: data.map((address) => ({ data: address })) });
    }
    const request = {
      url: url.href,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : '',
    };
    received.push(request);
    return respond(request);
  };
  return { fetcher, received };
}

export function deliver(
  messages: readonly Pick<AttemptMessage, 'id' | 'attempt'>[],
  fetcher: DeliverOptions['fetcher'],
  {
    now = Date.now(),
    database = env.DB,
    own = { domains: ['hop.example'], allowed: new Set() },
    allowsLoopback = false,
  }: { now?: number; database?: D1Database; own?: OwnDomains; allowsLoopback?: boolean } = {},
) {
  const options = {
    authSecret: env.AUTH_SECRET ?? '',
    own,
    allowsLoopback,
    fetcher,
    clock: () => now,
    origins: HOP,
    random: () => 0.5,
    now,
  };
  return deliverAttempts(openDb(database), messages, options);
}

/** Inserts a webhook of `owner` with a delivery that can be sent again. */
export async function insertWebhook(
  { person }: Pick<KeyHolder, 'person'>,
  url: string,
): Promise<{ webhookId: string; deliveryId: string }> {
  const webhookId = crypto.randomUUID();
  const deliveryId = `msg_${webhookId}`;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, user_id, url, events, salt, created_at)
       VALUES (?1, ?2, ?3, 'link.created', '', 0)`,
    ).bind(webhookId, person.id, url),
    env.DB.prepare(
      `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, sequence, data, status, created_at)
       VALUES (?1, ?2, 'webhook.test', 0, '{}', 'failed', 0)`,
    ).bind(webhookId, deliveryId),
  ]);
  return { webhookId, deliveryId };
}
