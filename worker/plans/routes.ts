import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { UpgradeResponse } from '#contract/plans.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { ApiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { requireMember, readJson } from '#worker/http/validate.ts';
import { readSubscription, setPlan } from './subscription.ts';

export const plansRoutes = new Hono<ApiEnv>();

plansRoutes.get('/subscription', async (c) => c.json(await readSubscription(c.get('db'), requireMember(c).id, c.get('now'))));

// Upgrades are free only in a demo (BILLING=demo). No payment provider is built in (docs/decisions.md#d9).
plansRoutes.post('/subscription', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  await readJson(c, z.object({}));
  if (c.env.BILLING !== 'demo')
    throw new ApiError('payment_required', 'Payment integration required. Please contact support for manual upgrade.');
  const response: UpgradeResponse = {
    success: true,
    demo: true,
    subscription: await setPlan(c.get('db'), id, 'premium', c.get('now')),
  };
  return c.json(response);
});
