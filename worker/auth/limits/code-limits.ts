import { HOUR_MS } from '#contract/time.ts';
import { counterKey, networkLimits, tooMany, type Attempt } from './attempt.ts';
import { countDown, countTry, type Limit } from './counters.ts';

/** Tries at mailed 6-digit codes, besides the five that each mail's own code allows. The link in the mail has no such limit. */
const PER_ADDRESS_AND_DAY = 20;
const PER_NETWORK_AND_HOUR = 30;
/** A /48 may do this many times as much: a quarter of what all addresses share, or one customer could use that up for everybody. */
const SITE_FACTOR = 5;
/** Over all addresses: a botnet that guesses at many of them finds a code with a chance of 1.4 % a day. Right codes do not count. */
const PER_HOUR = 600;

/** Counts one try at a mailed 6-digit code before anything is compared. Throws 429. */
export async function beginCodeTry(attempt: Attempt, email: string): Promise<void> {
  const address = { key: codeKey(attempt, email), max: PER_ADDRESS_AND_DAY, windowMs: 24 * HOUR_MS };
  const { refused } = await countTry(attempt.db, [address, ...sharedLimits(attempt)], attempt.now);
  if (refused === null) return;
  throw tooMany(
    'over_request_rate_limit',
    refused.retryAfterMs,
    (wait) => `Too many wrong codes. Open the link in the email instead, or try again in ${wait}.`,
  );
}

/** The code was right: the try is not held against the network. */
export async function codeWasRight(attempt: Attempt): Promise<void> {
  await countDown(
    attempt.db,
    sharedLimits(attempt).map((limit) => limit.key),
  );
}

export const codeKey = (attempt: Attempt, email: string): string => counterKey(attempt, 'code', email);

const sharedLimits = (attempt: Attempt): Limit[] => [
  ...networkLimits(attempt, 'code-network', PER_NETWORK_AND_HOUR, HOUR_MS, SITE_FACTOR),
  { key: counterKey(attempt, 'code-all', ''), max: PER_HOUR, windowMs: HOUR_MS },
];
