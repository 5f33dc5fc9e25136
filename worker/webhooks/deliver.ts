import { authSecret } from '#worker/auth/service/settings.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import type { Origins } from '#worker/http/origins.ts';
import { DELIVERY_MESSAGES } from '#worker/messages/features.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { DAY_MS } from '#contract/time.ts';
import { TEST_EVENT, WEBHOOK_FAILING_DAYS } from '#contract/webhooks/webhook-events.ts';
import type { Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { readLinkIds } from '#worker/db/link-ids.ts';
import type { LinkReader } from '#worker/links/read/link-json.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { observe } from '#worker/metrics/counters.ts';
import {
  claimAttempts,
  countRetries,
  storeOutcomes,
  type ClaimedDelivery,
  type Outcome,
} from './delivery-store.ts';
import type { AttemptMessage } from '#worker/events/dispatch.ts';
import { NO_ADDRESS } from '#worker/events/webhook-json.ts';
import { eventBody, keyOf } from './event-body.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';
import { allowsLoopback } from './allows-loopback.ts';
import { waitAfter } from './retry-schedule.ts';
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

export type DeliverOptions = Sender & { origins: Origins; random: () => number; now: number };

/** The options of a deployment. `now` in ms. */
export const deliverOptions = (
  env: Env,
  origins: Origins,
  now: number,
  fetcher: FetchFunction = fetch,
): DeliverOptions => ({
  authSecret: authSecret(env),
  own: ownDomains(env, origins),
  allowsLoopback: allowsLoopback(env, origins),
  // The platform's `fetch` must not be called as a method.
  fetcher: (...request) => fetcher(...request),
  clock: Date.now,
  origins,
  random: Math.random,
  now,
});

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
  const origins = await nameDomains(db, options.origins, claimed.flatMap(keysOf));
  const sender = { ...options, origins, linkIds: await readLinkIds(db) };
  const work = (delivery: ClaimedDelivery): Promise<Outcome> =>
    attempt(delivery, overLimit.get(delivery.id), sender).catch((error: unknown) =>
      unsentOutcome(delivery, error, options),
    );
  const outcomes = await takeTurns(claimed, work, {
    atOnce: CONCURRENT_ATTEMPTS,
    shares: [
      { of: ({ endpoint_id }) => endpoint_id, max: ENDPOINT_SHARE },
      { of: ({ user_id }) => user_id, max: ACCOUNT_SHARE },
    ],
  });
  for (const { status } of outcomes)
    observe('hop.webhooks', 1, status === 'pending' ? 'repeated' : status);
  const disabled = await storeOutcomes(db, outcomes, options.now);
  return disabled.flatMap(({ delivery, disables }) =>
    disables === null ? [] : [{ email: delivery.email, url: delivery.url, by: disables }],
  );
}

/** An event stored by a later release may be unreadable here. */
function keysOf(delivery: ClaimedDelivery): LinkKey[] {
  try {
    return keyOf(delivery);
  } catch {
    return [];
  }
}

async function attempt(
  delivery: ClaimedDelivery,
  limit: number | undefined,
  options: DeliverOptions & LinkReader,
): Promise<Outcome> {
  if (limit !== undefined)
    return lastOutcome(delivery, 'failed', DELIVERY_MESSAGES.no_attempts_left(limit));
  if (delivery.disabled_at !== null)
    return lastOutcome(delivery, 'failed', DELIVERY_MESSAGES.disabled);
  if (delivery.url === NO_ADDRESS) return lastOutcome(delivery, 'delivered', null);
  const { response, durationMs, error } = await sendAttempt(
    options,
    { ...delivery, id: delivery.endpoint_id },
    { messageId: delivery.message_id, body: eventBody(delivery, options) },
  );
  if (error === null) return { ...lastOutcome(delivery, 'delivered', null), response, durationMs };
  const isGone = response?.status === 410;
  const isFailing =
    delivery.failing_since !== null &&
    delivery.failing_since <= options.now - WEBHOOK_FAILING_DAYS * DAY_MS;
  const isLast = isGone || isFailing || delivery.type === TEST_EVENT;
  return {
    ...(isLast ? lastOutcome(delivery, 'failed', error) : retryOutcome(delivery, error, options)),
    response,
    durationMs,
    disables: isGone ? 'gone' : isFailing ? 'failing' : null,
  };
}

/** The outcome of an attempt that no other one follows. */
const lastOutcome = (
  delivery: ClaimedDelivery,
  status: 'delivered' | 'failed',
  error: string | null,
): Outcome => ({
  delivery,
  status,
  response: null,
  durationMs: null,
  error,
  dueAt: null,
  disables: null,
});

/** The outcome of an attempt that is repeated, if the schedule has another attempt. */
function retryOutcome(
  delivery: ClaimedDelivery,
  error: string,
  { now, random }: DeliverOptions,
): Outcome {
  const failed = lastOutcome(delivery, 'failed', error);
  const hasAnswered = delivery.answered_at !== null;
  const wait = waitAfter(delivery.attempts, { hasAnswered, random: random() });
  return wait === null ? failed : { ...failed, status: 'pending', dueAt: now + wait };
}

/**
 * Returns the outcome of an attempt that failed before its request: an event stored by a later
 * release may be unreadable here. It counts as an attempt, so that the outcomes of the other
 * attempts, which were sent, are still stored.
 */
function unsentOutcome(
  delivery: ClaimedDelivery,
  error: unknown,
  options: DeliverOptions,
): Outcome {
  logEvent('webhook_attempt_failed', errorFacts(error));
  return retryOutcome(delivery, DELIVERY_MESSAGES.not_prepared, options);
}
