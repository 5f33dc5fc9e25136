import { networksOf, findExceededNetwork } from '#worker/redirect/network-limit.ts';
import { ApiError } from './errors.ts';

const WINDOW_SECONDS = 60;
const TOO_MANY = 'Too many requests. Try again in a minute.';

/**
 * Counts one request under `key` and throws 429 with `upgradeRequired: false` once the key has used
 * up its minute. The binding counts loosely and per location; limits that must be exact are counted
 * in D1. A limiter that fails lets requests through, because it protects capacity and not
 * correctness.
 */
export async function rateLimit(
  limiter: RateLimit,
  key: string,
  message = TOO_MANY,
): Promise<void> {
  let success = true;
  try {
    ({ success } = await limiter.limit({ key }));
  } catch {
    return;
  }
  if (!success) throw tooMany(message);
}

/**
 * Rate limits a request that needs no sign-in by its network, and by the /48 around an IPv6
 * network, under `purpose`. Throws 429. The platform gives every request from outside an address;
 * requests without one share a counter.
 */
export async function rateLimitNetwork(
  env: Pick<Env, 'LIMIT_SITES'>,
  limiter: RateLimit,
  purpose: string,
  request: Request,
  message = TOO_MANY,
): Promise<void> {
  if (networksOf(request).network === '') return rateLimit(limiter, `${purpose}:`, message);
  if ((await findExceededNetwork(env, limiter, purpose, request)) !== null) throw tooMany(message);
}

const tooMany = (message: string): ApiError =>
  new ApiError('rate_limited', message, { upgradeRequired: false, retryAfter: WINDOW_SECONDS });
