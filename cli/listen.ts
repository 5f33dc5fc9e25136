import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import { dataOf, done, RequestFailed, type HopClient } from './client.ts';
import type { components } from './api.d.ts';
import { UsageError, type Call, type Command } from './command.ts';
import { request } from './request.ts';

type Delivery = components['schemas']['Delivery'];
type Listener = components['schemas']['CreatedWebhook'];

const POLL_MS = 2_000;
const ANSWER_MS = 10_000;

/**
 * Creates a webhook without an address, reads its deliveries, and sends them on as the server
 * would. So it needs no open connection and works with every server for which it has a key.
 */
export const listenCommand: Command = {
  args: [],
  summary: 'Send the events of your links to a program on this machine, until Ctrl-C.',
  options: {
    'forward-to': { value: 'URL', short: 'f', text: 'where the program listens: localhost:3000' },
    event: {
      value: 'EVENT',
      text: 'only these; all unless set',
      choices: WEBHOOK_EVENTS,
      isList: true,
    },
    tag: { value: 'NAME', text: 'only links with this tag' },
  },
  examples: ['hop listen --forward-to localhost:3000/hooks --event link.created'],
  async run(call) {
    const url = addressOf(call.text('forward-to'));
    const client = call.client();
    const stop = new AbortController();
    const end = (): void => stop.abort();
    process.once('SIGINT', end).once('SIGTERM', end);
    const listener = await createListener(client, call);
    try {
      call.print({ forwardTo: url, secret: listener.secret }, [
        `Sending events to ${url}. Press Ctrl-C to stop.`,
        `Signing secret: ${listener.secret}`,
      ]);
      await forwardAll(client, listener, { url, signal: stop.signal, print: call.print });
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end);
      const params = { path: { webhookId: listener.id } };
      // The server ends a webhook that nobody reads.
      await done(client.DELETE('/webhooks/{webhookId}', { params })).catch(() => undefined);
    }
  },
};

function addressOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError('Say where your program listens: --forward-to localhost:3000');
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null) throw new UsageError('--forward-to must be an address: localhost:3000');
  return url.href;
}

function createListener(client: HopClient, { text, list }: Call): Promise<Listener> {
  const names = list('event');
  const events = WEBHOOK_EVENTS.filter((event) => names.length === 0 || names.includes(event));
  const body = {
    url: null,
    description: `hop listen on ${hostname()}`.slice(0, 100),
    events,
    tag: text('tag') ?? null,
  };
  return request(() => dataOf(client.POST('/webhooks', { body })));
}

type Target = { url: string; signal: AbortSignal; print: Call['print'] };

/** Sends on what arrives, oldest first, until the signal. */
async function forwardAll(
  client: HopClient,
  listener: Listener,
  { url, signal, print }: Target,
): Promise<void> {
  const seen = new Set<string>();
  while (!signal.aborted) {
    for (const delivery of await whenReached(readNew(client, listener.id, seen))) {
      if (signal.aborted) return;
      seen.add(delivery.id);
      const answer = await send(url, listener.secret, delivery);
      print({ id: delivery.id, type: delivery.type, ...answer }, [
        `${new Date().toISOString().slice(11, 19)}  ${delivery.type}  ${answer.status ?? answer.error}`,
      ]);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Nothing is new while the server cannot be reached, for example because it restarts. */
async function whenReached(found: Promise<Delivery[]>): Promise<Delivery[]> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.problem !== null) throw error;
    console.error(error.message);
    return [];
  }
}

/** Reads pages until one has nothing new. */
async function readNew(
  client: HopClient,
  webhookId: string,
  seen: ReadonlySet<string>,
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = cursor === '' ? {} : { cursor };
    const params = { path: { webhookId }, query };
    const page: components['schemas']['DeliveryList'] = await request(() =>
      dataOf(client.GET('/webhooks/{webhookId}/deliveries', { params })),
    );
    const unseen = page.data.filter(({ id }) => !seen.has(id));
    found.push(...unseen);
    cursor = unseen.length === 0 ? null : page.nextCursor;
  }
  return found.toReversed();
}

/** Makes the request that the server would make to an address (https://www.standardwebhooks.com). */
async function send(
  url: string,
  secret: string,
  { id, body }: Delivery,
): Promise<{ status?: number; error?: string }> {
  const seconds = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Hop-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  try {
    const init = { method: 'POST', headers, body, redirect: 'manual' as const };
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(new Request(url, { ...init, signal }));
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { cause } = Object(error);
    return { error: cause instanceof Error ? cause.message : String(error) };
  }
}
