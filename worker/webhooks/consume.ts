import * as z from 'zod/mini';
import { openDb } from '#worker/db/client.ts';
import { originsOf } from '#worker/http/origins.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { deliverAttempts, deliverOptions, type StoppedEndpoint } from './deliver.ts';
import { dispatchWebhooks } from '#worker/events/dispatch.ts';
import { tellOwners } from './tell-owners.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

const attemptMessage = z.object({ v: z.literal(1), id: z.int(), attempt: z.int() });
const RETRY_SECONDS = 30;
/** APP_ORIGIN can be absent only in a local Worker. */
const LOCAL_URL = 'http://localhost:8787/';

/**
 * Consumes a batch of the queue `hop-webhooks`. A failed attempt does not fail its message, because
 * D1 stores when the next attempt is due. Messages are retried only if D1 fails, and a delivery
 * whose message is lost is dispatched again.
 */
export async function consumeWebhooks(
  batch: MessageBatch,
  env: Env,
  { waitUntil }: { waitUntil: WaitUntil },
  options: { fetcher?: FetchFunction; now?: number } = {},
): Promise<void> {
  const messages = batch.messages.flatMap(({ body }) => {
    const parsed = attemptMessage.safeParse(body);
    return parsed.success ? [parsed.data] : [];
  });
  const { fetcher, now = Date.now() } = options;
  const origins = originsOf(env, LOCAL_URL);
  const db = openDb(env.DB);
  let stopped: StoppedEndpoint[] = [];
  try {
    stopped = await deliverAttempts(db, messages, deliverOptions(env, origins, now, fetcher));
  } catch (error) {
    logEvent('webhooks_retried', {
      messages: messages.length,
      ...errorFacts(error),
    });
    batch.retryAll({ delaySeconds: RETRY_SECONDS });
    return;
  }
  batch.ackAll();
  // The finished deliveries have made room for those that wait for them.
  await dispatchWebhooks(env, options.now ?? Date.now()).catch((error: unknown) =>
    logEvent('webhooks_not_dispatched', errorFacts(error)),
  );
  await tellOwners({ env, db, appOrigin: origins.app, now, waitUntil }, stopped);
}
