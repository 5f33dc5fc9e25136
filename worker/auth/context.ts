import { MINUTE_MS } from '#contract/time.ts';
import { networkOf, siteOf } from '#worker/http/client-address.ts';
import type { Db } from '#worker/db/client.ts';
import { AuthError } from '#worker/auth/errors.ts';
import type { Limit } from './counters.ts';
import { fingerprint } from '#worker/auth/secrets.ts';
import { readAuthSettings, type AuthSettings } from '#worker/auth/settings.ts';

/**
 * Who is trying, from where: the address and the network appear in the database only as keyed fingerprints. `site` is the
 * /48 around an IPv6 network, '' for IPv4.
 */
export type Attempt = { db: Db; settings: AuthSettings; network: string; site: string; now: number };

/** How much more than one network the /48 around it may do, where nothing else is said. */
const SITE_FACTOR = 20;

export function makeAttempt(env: Env, db: Db, request: Request, now: number): Attempt {
  return { db, settings: readAuthSettings(env, request.url), network: networkOf(request), site: siteOf(request), now };
}

/** A counter's key: the purpose in the clear, the value as a keyed fingerprint. */
export const counterKey = ({ settings }: Pick<Attempt, 'settings'>, purpose: string, value: string): string =>
  `auth:${purpose}:${fingerprint(settings.secret, `counter:${purpose}`, value)}`;

/** The limit of a network, and of the /48 around it where there is one. */
export function networkLimits(
  attempt: Attempt,
  purpose: string,
  max: number,
  windowMs: number,
  siteFactor = SITE_FACTOR,
): Limit[] {
  const network = { key: counterKey(attempt, purpose, attempt.network), max, windowMs };
  if (attempt.site === '') return [network];
  return [network, { key: counterKey(attempt, `${purpose}-site`, attempt.site), max: max * siteFactor, windowMs }];
}

/** A 429 that says how long to wait: `message` gets "1 minute", "20 minutes" or "5 hours". */
export function tooMany(
  code: 'over_request_rate_limit' | 'over_email_send_rate_limit',
  retryAfterMs: number,
  message: (wait: string) => string,
): AuthError {
  return new AuthError(429, code, message(inWords(retryAfterMs)), { retryAfter: Math.ceil(retryAfterMs / 1000) });
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
