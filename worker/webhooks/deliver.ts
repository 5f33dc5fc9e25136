import { DELIVERY_MESSAGES } from '#worker/messages/features.ts';
import { TEST_EVENT } from '#contract/webhooks.ts';
import type { Db } from '#worker/db/client.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import {
  claimAttempts,
  countRetries,
  storeOutcomes,
  type ClaimedDelivery,
  type Outcome,
} from './delivery-store.ts';
import type { AttemptMessage } from '#worker/events/dispatch.ts';
import { eventBody } from './event-body.ts';
import { FAILING_MAX_MS, waitAfter } from './retry-schedule.ts';
import { sendAttempt, type Sender } from './send.ts';
import { takeTurns } from './take-turns.ts';

/** A Worker has six connections at a time. An attempt uses one or two, but never two at once. */
const CONCURRENT_ATTEMPTS = 6;
/**
 * How many of these one endpoint and one account may use, so that an endpoint that hangs does not
 * block others.
 */
const ENDPOINT_SHARE = 2;
const ACCOUNT_SHARE = 3;

export type DeliverOptions = Sender & { shortOrigin: string; random: () => number; now: number };

/** An endpoint that an attempt has disabled, with its owner's email address. */
export type StoppedEndpoint = { email: string; url: string; by: 'gone' | 'failing' };

/**
 * Makes the attempts that these messages name, each only once even if its message arrives again. A
 * delivery whose outcome cannot be stored is due again when its lease ends, so an endpoint may get
 * an event twice, with the same `webhook-id`. Throws if D1 fails. Returns the endpoints that it
 * disabled.
 */
export async function deliverAttempts(
  db: Db,
  messages: readonly Pick<AttemptMessage, 'id' | 'attempt'>[],
  options: DeliverOptions,
): Promise<StoppedEndpoint[]> {
  const claimed = await claimAttempts(db, messages, options.now);
  const overLimit = await countRetries(db, claimed, options.now);
  const work = (delivery: ClaimedDelivery): Promise<Outcome> =>
    attempt(delivery, overLimit.get(delivery.id), options).catch((error: unknown) =>
      unsentOutcome(delivery, error, options),
    );
  const outcomes = await takeTurns(claimed, work, {
    atOnce: CONCURRENT_ATTEMPTS,
    shares: [
      { of: ({ endpoint_id }) => endpoint_id, max: ENDPOINT_SHARE },
      { of: ({ user_id }) => user_id, max: ACCOUNT_SHARE },
    ],
  });
  const disabled = await storeOutcomes(db, outcomes, options.now);
  return disabled.flatMap(({ delivery, disables }) =>
    disables === null ? [] : [{ email: delivery.email, url: delivery.url, by: disables }],
  );
}

async function attempt(
  delivery: ClaimedDelivery,
  limit: number | undefined,
  options: DeliverOptions,
): Promise<Outcome> {
  const base = { delivery, response: null, durationMs: null, dueAt: null, disables: null };
  if (limit !== undefined)
    return {
      ...base,
      status: 'failed',
      error: DELIVERY_MESSAGES.no_attempts_left(limit),
    };
  if (delivery.disabled_at !== null)
    return { ...base, status: 'failed', error: DELIVERY_MESSAGES.disabled };
  const message = {
    messageId: delivery.message_id,
    body: eventBody(delivery, options.shortOrigin),
  };
  const { response, durationMs, error } = await sendAttempt(
    options,
    { ...delivery, id: delivery.endpoint_id },
    message,
  );
  if (error === null) return { ...base, status: 'delivered', response, durationMs, error };
  const isGone = response?.status === 410;
  const isFailing =
    delivery.failing_since !== null && delivery.failing_since <= options.now - FAILING_MAX_MS;
  const wait =
    isGone || isFailing || delivery.type === TEST_EVENT
      ? null
      : waitAfter(delivery.attempts, {
          hasAnswered: delivery.answered_at !== null,
          random: options.random(),
        });
  return {
    ...base,
    status: wait === null ? 'failed' : 'pending',
    response,
    durationMs,
    error,
    dueAt: wait === null ? null : options.now + wait,
    disables: isGone ? 'gone' : isFailing ? 'failing' : null,
  };
}

/**
 * Returns the outcome of an attempt that failed before its request: an event stored by a later
 * release may be unreadable here. It counts as an attempt, so that the outcomes of the other
 * attempts, which were sent, are still stored.
 */
function unsentOutcome(
  delivery: ClaimedDelivery,
  error: unknown,
  { now, random }: DeliverOptions,
): Outcome {
  logEvent('webhook_attempt_failed', errorFacts(error));
  const wait = waitAfter(delivery.attempts, {
    hasAnswered: delivery.answered_at !== null,
    random: random(),
  });
  return {
    delivery,
    status: wait === null ? 'failed' : 'pending',
    response: null,
    durationMs: null,
    error: DELIVERY_MESSAGES.not_prepared,
    dueAt: wait === null ? null : now + wait,
    disables: null,
  };
}
