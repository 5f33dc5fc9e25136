import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/context.ts';
import { tooManyRequests } from '#worker/auth/errors.ts';
import { consume, refund, type Limit } from './counters.ts';
import { counterKey, networkLimits } from './network-limits.ts';

/**
 * Attempts at mailed 6-digit codes, in addition to the five that every single code allows. The link in the same email has no
 * such limit.
 */
const PER_ADDRESS_AND_DAY = 20;
const PER_NETWORK_AND_HOUR = 30;
/** A quarter of what all addresses share. With a larger factor one customer of a provider could use that up for everybody. */
const SITE_FACTOR = 5;
/**
 * Attempts at all addresses together. At this rate a botnet that guesses at many addresses finds one code with a probability of
 * 1.4 % a day. Correct codes do not count.
 */
const PER_HOUR = 600;

/** Counts one attempt at a mailed code. Call it before comparing anything. Throws 429. */
export async function consumeCodeAttempt(context: AuthContext, email: string): Promise<void> {
  const { exceeded } = await consume(context.db, [addressCodeLimit(context, email), ...sharedLimits(context)], context.now);
  if (exceeded === null) return;
  throw tooManyRequests(
    'over_request_rate_limit',
    exceeded.retryAfterMs,
    (wait) => `Too many wrong codes. Open the link in the email instead, or try again in ${wait}.`,
  );
}

/** The code was correct, so the attempt does not count against the network or the limit that all addresses share. */
export const refundCodeAttempt = (context: AuthContext): Promise<void> => refund(context.db, sharedLimits(context));

export const addressCodeLimit = (context: AuthContext, email: string): Limit => ({
  key: counterKey(context, 'code', email),
  max: PER_ADDRESS_AND_DAY,
  windowMs: DAY_MS,
});

const sharedLimits = (context: AuthContext): Limit[] => [
  ...networkLimits(context, 'code-network', PER_NETWORK_AND_HOUR, HOUR_MS, SITE_FACTOR),
  { key: counterKey(context, 'code-all', ''), max: PER_HOUR, windowMs: HOUR_MS },
];
