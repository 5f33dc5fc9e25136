import { Hono } from 'hono';
import { planIncludes } from '#contract/plan-features.ts';
import { PLANS } from '#contract/site.ts';
import { V1_BULK_MAX, V1_PAGE_MAX, type V1Me } from '#contract/v1.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { requireKey } from '#worker/http/validate.ts';
import { readSubscription, remainingQuota } from '#worker/plans/subscription.ts';

export const meV1 = new Hono<ApiEnv>();

/**
 * Returns the key and what its owner may do. Contains no address, because a key may end up where
 * other people read it.
 */
meV1.get('/me', async (c) => {
  const key = requireKey(c);
  const subscription = await readSubscription(c.get('db'), key.userId, c.get('now'));
  const { plan_type, monthly_limit, current_usage, cycle_ends_at } = subscription;
  const answer: V1Me = {
    plan: plan_type,
    quota: {
      limit: monthly_limit,
      used: current_usage,
      remaining: remainingQuota(subscription),
      resetsAt: cycle_ends_at,
    },
    limits: {
      requestsPerMinute: PLANS[plan_type].apiRequests,
      linksPerBulkRequest: planIncludes(plan_type, 'bulk') ? V1_BULK_MAX : 0,
      linksPerPage: V1_PAGE_MAX,
    },
    key: {
      id: key.keyId,
      name: key.keyName,
      scopes: [...key.scopes],
      codePrefix: key.codePrefix === '' ? null : key.codePrefix,
      expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
    },
  };
  return c.json(answer);
});
