import { Hono, type Context } from 'hono';
import { PLANS } from '#contract/site.ts';
import {
  deliveriesQuery,
  webhookChange,
  webhookRequest,
  webhookRotateRequest,
  type WebhooksResponse,
} from '#contract/webhooks/webhooks.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import { countNotSent } from '#worker/events/delivery-allowance.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { listDeliveries } from './delivery-log.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireEndpoint,
  rotateWebhook,
  sendAgain,
  sendTest,
  type Owner,
} from './endpoint-requests.ts';
import { listEndpoints } from './endpoint-store.ts';

/** The webhooks of the signed-in member. Those for API keys are in api/v1/webhooks.ts. */
export const webhooksRoutes = new Hono<ApiEnv>();

type C = Context<ApiEnv>;

webhooksRoutes.get('/webhooks', async (c) => {
  const { id } = requireMember(c);
  const [rows, plan] = await Promise.all([
    listEndpoints(c.get('db'), id),
    readPlan(c.get('db'), id, c.get('now')),
  ]);
  const { webhooks: endpoints, webhookDeliveries: deliveriesPerDay } = PLANS[plan];
  const webhooks = rows.map((row) => toWebhook(row, c.get('now')));
  const notSent = await countNotSent(c.get('db'), id, deliveriesPerDay, c.get('now'));
  return c.json({
    webhooks,
    limits: { endpoints, deliveriesPerDay },
    notSent,
  } satisfies WebhooksResponse);
});

webhooksRoutes.post('/webhooks', async (c) => {
  const owner = await limitedOwner(c);
  return c.json(await createWebhook(c, owner, readJson(c, webhookRequest)), 201);
});

webhooksRoutes.patch('/webhooks/:id', async (c) => {
  const owner = await limitedOwner(c);
  return c.json(await changeWebhook(c, owner, c.req.param('id'), readJson(c, webhookChange)));
});

webhooksRoutes.post('/webhooks/:id/rotate', async (c) => {
  const owner = await limitedOwner(c);
  const { overlapHours } = readJson(c, webhookRotateRequest);
  return c.json(await rotateWebhook(c, owner, c.req.param('id'), overlapHours));
});

webhooksRoutes.delete('/webhooks/:id', async (c) => {
  await deleteWebhook(c, await limitedOwner(c), c.req.param('id'));
  return c.json({ success: true });
});

webhooksRoutes.get('/webhooks/:id/deliveries', async (c) => {
  const { cursor } = readQuery(c, deliveriesQuery);
  const { id } = await requireEndpoint(c, ownerOf(c), c.req.param('id'));
  const before = idFromCursor(cursor);
  return c.json(await listDeliveries(c.get('db'), id, before, c.get('origins')));
});

webhooksRoutes.post('/webhooks/:id/test', async (c) =>
  c.json(await sendTest(c, ownerOf(c), c.req.param('id'))),
);

webhooksRoutes.post('/webhooks/:id/deliveries/:delivery/replay', async (c) => {
  const delivery = idFromCursor(c.req.param('delivery')) ?? 0;
  return c.json(await sendAgain(c, ownerOf(c), c.req.param('id'), delivery));
});

function ownerOf(c: C): Owner {
  const { id, email } = requireMember(c);
  return { id, email, keyName: null };
}

async function limitedOwner(c: C): Promise<Owner> {
  const owner = ownerOf(c);
  await limitWrites(c);
  return owner;
}
