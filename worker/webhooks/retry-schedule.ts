import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** The waits between attempts, about three days in total. */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  22 * HOUR_MS,
] as const;

/**
 * Each wait is randomly up to a fifth longer or shorter, so that endpoints that failed together are
 * not retried together.
 */
const JITTER = 0.2;

/**
 * How many attempts are repeated at an endpoint that has never accepted an event, because its URL
 * may be wrong or belong to a stranger.
 */
const RETRIES_UNANSWERED = 2;

/**
 * Returns how long to wait after this number of failed attempts, in ms; null if there are no more
 * attempts. `random` is in [0, 1).
 */
export function waitAfter(
  attempts: number,
  { hasAnswered, random }: { hasAnswered: boolean; random: number },
): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined || (!hasAnswered && attempts > RETRIES_UNANSWERED)
    ? null
    : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
