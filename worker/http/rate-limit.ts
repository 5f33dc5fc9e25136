import type { Context } from 'hono';
import { networksOf, findExceededNetwork } from '#worker/redirect/network-limit.ts';
import type { ErrorReason } from '#worker/messages/api-errors.ts';
import type { ApiEnv, Identity } from './context.ts';
import { apiError } from './errors.ts';
import { requireMember } from './validate.ts';

/**
 * Returns the network that rate limits and visitor ids use: the IPv4 address, or the /64 of an IPv6
 * address. Returns '' if the request has no address.
 */
export const networkOf = (request: Request): string => networksOf(request).network;

/**
 * Counts one request under `key`, and throws 429 with `upgradeRequired: false` once the limit per
 * minute is reached. The binding counts approximately and per location; exact limits are counted in
 * D1. If the limiter fails, the request passes, because the limit protects capacity and not
 * correctness.
 */
export async function rateLimit(
  limiter: RateLimit,
  key: string,
  reason: ErrorReason = 'too_many_requests',
): Promise<void> {
  let success = true;
  try {
    ({ success } = await limiter.limit({ key }));
  } catch {
    return;
  }
  if (!success) throw apiError(reason);
}

/** Counts a change and returns the member who makes it. Throws 429 over the limit, and 401 for a visitor. */
export async function limitWrites(c: Context<ApiEnv>): Promise<Identity> {
  const member = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, member.id);
  return member;
}

/**
 * Rate limits a request without sign-in by its network, and by the /48 around an IPv6 network,
 * under `purpose`. Throws 429. Every request from outside has an address; requests without one
 * share a counter.
 */
export async function rateLimitNetwork(
  env: Pick<Env, 'LIMIT_SITES'>,
  limiter: RateLimit,
  purpose: string,
  request: Request,
  reason: ErrorReason = 'too_many_requests',
): Promise<void> {
  if (networksOf(request).network === '') return rateLimit(limiter, `${purpose}:`, reason);
  if ((await findExceededNetwork(env, limiter, purpose, request)) !== null) throw apiError(reason);
}
