import type { RequestContext } from '#worker/http/context.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { createReputation, type Reputation } from './reputation.ts';
import { shortenerHosts } from './shorteners.ts';
import type { TargetPolicy } from './target.ts';

/**
 * Returns the link policy of this deployment. It includes the host of the request, because a
 * loopback host is in no setting.
 */
export function targetPolicy({ env, origins, request }: RequestContext): TargetPolicy {
  const urls = [origins.app, origins.short, request.url];
  return {
    ownHosts: [...urls.map((url) => new URL(url).hostname), ...configuredOrigins(env).extraHosts],
    shorteners: shortenerHosts(env.BLOCKED_SHORTENERS),
  };
}

/** Returns the reputation service of this deployment; null if it has none. */
export const reputationOf = ({ env }: RequestContext): Reputation | null =>
  createReputation(env.REPUTATION_DOH_URL, fetch);
