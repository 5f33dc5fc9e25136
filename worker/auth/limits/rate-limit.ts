import type { MiddlewareHandler } from 'hono';
import { networkOf, siteOf } from '#worker/http/client-address.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { AuthError } from '#worker/auth/errors.ts';

/**
 * The first, loose limit before anything is hashed or read: requests per network (and the /48 around it), group and location.
 * The exact limits are counted in D1. A refresh has a bucket of its own, because a refused refresh signs the person out.
 */
export function shield(group: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const grant = group === 'token' ? `:${c.req.query('grant_type') === 'refresh_token' ? 'refresh' : 'sign-in'}` : '';
    const key = (origin: string): string => `${group}${grant}:${origin}`;
    const site = siteOf(c.req.raw);
    const isFree =
      (await passes(c.env.LIMIT_AUTH, key(networkOf(c.req.raw)))) &&
      (site === '' || (await passes(c.env.LIMIT_SITES, key(site))));
    if (!isFree) throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: 60 });
    await next();
  };
}

async function passes(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch {
    // A failing limiter protects nothing, but must not keep people out either: what is exact is in D1.
    return true;
  }
}
