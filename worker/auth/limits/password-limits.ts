import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { tooManyRequests } from '#worker/auth/service/errors.ts';
import { consume, refund, reset, type Limit } from './counters.ts';
import { counterKey, networkLimits, pairOf } from './network-limits.ts';

/**
 * Wrong passwords before a lock. The limit of a pair (address and network) is low. The limit of an
 * address over all networks is high, so that a stranger cannot easily lock its owner out.
 */
const PER_PAIR = 20;
const PER_ADDRESS = 100;
const PER_NETWORK = 300;

/** The limits that one attempt at a password counts against. */
type PasswordLimits = { pair: Limit; address: Limit; networks: Limit[] };

/**
 * Counts one attempt at a password. Call it before hashing. Throws 429 once a limit is used up,
 * even if the password would be correct. Unknown addresses count like known ones.
 */
export async function consumePasswordAttempt(context: AuthContext, email: string): Promise<void> {
  const { exceeded } = await consume(
    context.db,
    listOf(passwordLimits(context, email)),
    context.now,
  );
  if (exceeded === null) return;
  throw tooManyRequests(
    'over_request_rate_limit',
    exceeded.retryAfterMs,
    (wait) => `Too many failed sign-in attempts. Try again in ${wait}, or reset your password.`,
  );
}

/** For an attempt that failed before its password was compared: it was not a guess. */
export const refundPasswordAttempt = (context: AuthContext, email: string): Promise<void> =>
  refund(context.db, listOf(passwordLimits(context, email)));

/**
 * The password was correct: the attempt does not count, and earlier wrong ones from this network
 * are forgotten.
 */
export async function clearPasswordAttempts(context: AuthContext, email: string): Promise<void> {
  const { pair, address, networks } = passwordLimits(context, email);
  await refund(context.db, [address, ...networks]);
  await reset(context.db, [pair]);
}

export function passwordLimits(context: AuthContext, email: string): PasswordLimits {
  const pair = counterKey(context, 'pair', pairOf(context, email));
  return {
    pair: { key: pair, max: PER_PAIR, windowMs: 15 * MINUTE_MS },
    address: { key: counterKey(context, 'account', email), max: PER_ADDRESS, windowMs: HOUR_MS },
    networks: networkLimits(context, 'network', PER_NETWORK, 15 * MINUTE_MS),
  };
}

const listOf = ({ pair, address, networks }: PasswordLimits): Limit[] => [
  pair,
  address,
  ...networks,
];
