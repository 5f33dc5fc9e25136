import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { tooManyRequests } from '#worker/auth/service/errors.ts';
import { consume, refund, type Limit } from './counters.ts';
import { counterKey, networkLimits, pairOf } from './network-limits.ts';

/**
 * Attempts at mailed 6-digit codes, in addition to the five that every single code allows: for an
 * address from one network, and from all networks, so that one network cannot keep a person from
 * using the right code. The link in the same email has no such limit. An address gets ten emails a
 * day, so 50 attempts meet a code at all: 0.005 % a day, from however many networks.
 */
const PER_PAIR_AND_DAY = 20;
const PER_ADDRESS_AND_DAY = 100;
const PER_NETWORK_AND_HOUR = 30;
/**
 * A quarter of what all addresses share. With a larger factor one customer of a provider could use
 * that up for everybody.
 */
const SITE_FACTOR = 5;
/**
 * Attempts at all addresses together. At this rate a botnet that guesses at many addresses finds
 * one code with a probability of 1.4 % a day. Correct codes do not count.
 */
const PER_HOUR = 600;

/** Counts one attempt at a mailed code. Call it before comparing anything. Throws 429. */
export async function consumeCodeAttempt(context: AuthContext, email: string): Promise<void> {
  const { exceeded } = await consume(
    context.db,
    [...addressCodeLimits(context, email), ...sharedLimits(context)],
    context.now,
  );
  if (exceeded === null) return;
  throw tooManyRequests(
    'over_request_rate_limit',
    exceeded.retryAfterMs,
    (wait) => `Too many wrong codes. Open the link in the email instead, or try again in ${wait}.`,
  );
}

/**
 * The code was correct, so the attempt does not count against the network or the limit that all
 * addresses share.
 */
export const refundCodeAttempt = (context: AuthContext): Promise<void> =>
  refund(context.db, sharedLimits(context));

/** The limits of one address: from the caller's IPv4 network or /48, and from all networks. */
export const addressCodeLimits = (context: AuthContext, email: string): Limit[] => [
  {
    key: counterKey(context, 'code-pair', pairOf(context, email)),
    max: PER_PAIR_AND_DAY,
    windowMs: DAY_MS,
  },
  { key: counterKey(context, 'code-address', email), max: PER_ADDRESS_AND_DAY, windowMs: DAY_MS },
];

const sharedLimits = (context: AuthContext): Limit[] => [
  ...networkLimits(context, 'code-network', PER_NETWORK_AND_HOUR, HOUR_MS, SITE_FACTOR),
  { key: counterKey(context, 'code-all', ''), max: PER_HOUR, windowMs: HOUR_MS },
];
