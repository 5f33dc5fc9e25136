import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { tooManyRequests, type AuthError } from '#worker/auth/service/errors.ts';
import { consume, refund, type Limit } from './counters.ts';
import { networkLimits } from './network-limits.ts';

/**
 * Sign-ups, with or without a mail to confirm: as many as emails that one network may request. An
 * office behind one IPv4 address can sign up 30 people a day. Every account has a quota of links,
 * and every sign-up costs a hash.
 */
const PER_NETWORK_AND_HOUR = 10;
const PER_NETWORK_AND_DAY = 30;
/** One customer of a provider may hold a whole /48, and nobody needs hundreds of accounts a day. */
const SITE_FACTOR = 5;

/**
 * What a sign-up counts against. Nothing on a developer's machine, where everybody has one address.
 */
export const signUpLimits = (context: AuthContext): Limit[] =>
  context.settings.isLocal
    ? []
    : [
        ...networkLimits(context, 'signups-hour', PER_NETWORK_AND_HOUR, HOUR_MS, SITE_FACTOR),
        ...networkLimits(context, 'signups-day', PER_NETWORK_AND_DAY, DAY_MS, SITE_FACTOR),
      ];

/**
 * Counts a sign-up that sends no email. Call it before hashing. A known address counts like a new
 * one. Throws 429.
 */
export async function consumeSignUp(context: AuthContext): Promise<void> {
  const { exceeded } = await consume(context.db, signUpLimits(context), context.now);
  if (exceeded !== null) throw tooManySignUps(exceeded.retryAfterMs);
}

/** For a sign-up that failed before an account could be created. */
export const refundSignUp = (context: AuthContext): Promise<void> =>
  refund(context.db, signUpLimits(context));

export const tooManySignUps = (retryAfterMs: number): AuthError =>
  tooManyRequests(
    'over_request_rate_limit',
    retryAfterMs,
    (wait) => `Too many people signed up from your network. Try again in ${wait}.`,
  );
