import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import { AuthError } from '#worker/auth/service/errors.ts';
import { findExceededNetwork } from '#worker/redirect/network-limit.ts';

/**
 * The first limit, before anything is hashed or read: requests per network (and its /48), route
 * group and location. It is approximate; D1 counts the exact limits. Refreshing a session has a
 * separate bucket, because a 429 would sign the person out.
 */
export function limitRequests(
  group:
    | 'authorize'
    | 'describe'
    | 'factor'
    | 'mail'
    | 'passkey'
    | 'signup'
    | 'token'
    | 'user'
    | 'verify',
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const isRefresh = c.req.query('grant_type') === 'refresh_token';
    const purpose = group === 'token' ? `token:${isRefresh ? 'refresh' : 'sign-in'}` : group;
    if ((await findExceededNetwork(c.env, c.env.LIMIT_AUTH, purpose, c.req.raw)) !== null)
      throw new AuthError('requests_limited');
    await next();
  };
}
