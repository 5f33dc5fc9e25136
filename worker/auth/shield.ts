import type { MiddlewareHandler } from 'hono';
import { networkOf } from '#worker/api/address.ts';
import type { ApiEnv } from '#worker/api/context.ts';
import { AuthError } from './auth-problem.ts';

/**
 * The first, loose line before anything is hashed or read: requests per network, group and location. The exact limits
 * are counted in D1. A refresh has a bucket of its own, because a refused refresh signs the person out (contract §1.3).
 */
export function shield(group: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const grant = group === 'token' ? `:${c.req.query('grant_type') === 'refresh_token' ? 'refresh' : 'sign-in'}` : '';
    let success = true;
    try {
      ({ success } = await c.env.LIMIT_AUTH.limit({ key: `${group}${grant}:${networkOf(c.req.raw)}` }));
    } catch {
      // A failing shield protects nothing, but must not keep people out either: what is exact stands in D1.
    }
    if (!success) throw new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: 60 });
    await next();
  };
}
