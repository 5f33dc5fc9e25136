import { TEST_EVENT } from '#contract/webhooks.ts';
import type { Db } from '#worker/db/client.ts';
import { claimAttempts, countFirstAttempts, storeOutcomes, type ClaimedDelivery, type Outcome } from './delivery-store.ts';
import type { AttemptMessage } from './dispatch.ts';
import { eventBody } from './event-body.ts';
import { FAILING_MAX_MS, waitAfter } from './retry-schedule.ts';
import { sendAttempt, type Sender } from './send.ts';

/** A Worker has six connections at a time. An attempt uses two at most, one after the other. */
const CONCURRENT_ATTEMPTS = 6;

export type DeliverOptions = Sender & { shortOrigin: string; random: () => number; now: number };

/** An endpoint that an attempt has disabled, and its owner's address. */
export type StoppedEndpoint = { email: string; url: string; by: 'gone' | 'failing' };

/**
 * Makes the attempts that these messages name. Each is made once, however often its message arrives. A delivery whose outcome
 * cannot be stored is due again when its lease ends: an endpoint may then get an event twice, with the same `webhook-id`.
 * Throws when D1 does. Returns the endpoints that it disabled.
 */
export async function deliverAttempts(
  db: Db,
  messages: readonly Pick<AttemptMessage, 'id' | 'attempt'>[],
  options: DeliverOptions,
): Promise<StoppedEndpoint[]> {
  const claimed = await claimAttempts(db, messages, options.now);
  const beyond = await countFirstAttempts(db, claimed, options.now);
  const outcomes: Outcome[] = [];
  for (let at = 0; at < claimed.length; at += CONCURRENT_ATTEMPTS) {
    const group = claimed.slice(at, at + CONCURRENT_ATTEMPTS);
    outcomes.push(...(await Promise.all(group.map((delivery) => attempt(delivery, beyond.get(delivery.id), options)))));
  }
  await storeOutcomes(db, outcomes, options.now);
  return outcomes.flatMap(({ delivery, disables }) =>
    disables === null ? [] : [{ email: delivery.email, url: delivery.url, by: disables }],
  );
}

async function attempt(delivery: ClaimedDelivery, limit: number | undefined, options: DeliverOptions): Promise<Outcome> {
  const none = { delivery, response: null, durationMs: null, dueAt: null, disables: null };
  if (limit !== undefined)
    return { ...none, status: 'skipped', error: `Your plan includes ${limit.toLocaleString('en')} deliveries a day.` };
  if (delivery.disabled_at !== null) return { ...none, status: 'failed', error: 'The endpoint is disabled.' };
  const message = { messageId: delivery.message_id, body: eventBody(delivery, options.shortOrigin) };
  const { response, durationMs, error } = await sendAttempt(options, { ...delivery, id: delivery.endpoint_id }, message);
  if (error === null) return { ...none, status: 'delivered', response, durationMs, error };
  const isGone = response?.status === 410;
  const isFailing = delivery.failing_since !== null && delivery.failing_since <= options.now - FAILING_MAX_MS;
  const wait = isGone || isFailing || delivery.type === TEST_EVENT ? null : waitAfter(delivery.attempts, options.random());
  return {
    ...none,
    status: wait === null ? 'failed' : 'pending',
    response,
    durationMs,
    error,
    dueAt: wait === null ? null : options.now + wait,
    disables: isGone ? 'gone' : isFailing ? 'failing' : null,
  };
}
