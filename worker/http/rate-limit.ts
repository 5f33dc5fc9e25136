import { networkOf, siteOf } from './client-address.ts';
import { ApiError } from './errors.ts';

/**
 * A shield in front of a route: throws 429 with `upgradeRequired: false` when `key` has spent its minute at this location.
 * It counts loosely and per location; what must be exact is counted in the database. A failing shield lets requests
 * through, because it protects capacity and not correctness.
 */
export async function shield(
  limiter: RateLimit,
  key: string,
  message = 'Too many requests. Please wait a minute.',
): Promise<void> {
  let success = true;
  try {
    ({ success } = await limiter.limit({ key }));
  } catch {
    return;
  }
  if (!success) throw new ApiError('rate_limited', message, { upgradeRequired: false, retryAfter: 60 });
}

/**
 * As `shield`, for requests that need no sign-in: counts the request's network under `purpose`, and the /48 around an IPv6
 * network in LIMIT_SITES, whose limit is higher. Throws 429.
 */
export async function shieldNetwork(
  env: Pick<Env, 'LIMIT_SITES'>,
  limiter: RateLimit,
  purpose: string,
  request: Request,
  message?: string,
): Promise<void> {
  await shield(limiter, `${purpose}:${networkOf(request)}`, message);
  const site = siteOf(request);
  if (site !== '') await shield(env.LIMIT_SITES, `${purpose}:${site}`, message);
}
