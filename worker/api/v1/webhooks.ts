import { Hono, type Context } from 'hono';
import {
  deliveriesQueryV1,
  webhookInputV1,
  webhookPatchV1,
  webhookRotateV1,
  type V1Delivery,
  type V1DeliveryList,
  type V1WebhookList,
} from '#contract/webhooks/v1-webhooks.ts';
import type { WebhookDelivery } from '#contract/webhooks/webhooks.ts';
import { toWebhook } from '#worker/events/webhook-json.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readJson, readQuery, requireKey } from '#worker/http/validate.ts';
import { readEmail } from '#worker/users/user-state.ts';
import { findDelivery, listDeliveries } from '#worker/webhooks/delivery-log.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requireEndpoint,
  rotateWebhook,
  sendAgain,
  sendTest,
  type Owner,
} from '#worker/webhooks/endpoint-requests.ts';
import { listEndpoints, recordRead } from '#worker/webhooks/endpoint-store.ts';

type C = Context<ApiEnv>;

export const webhooksV1 = new Hono<ApiEnv>();

webhooksV1.get('/webhooks', async (c) => {
  const { id } = await requireOwner(c);
  const rows = await listEndpoints(c.get('db'), id);
  return c.json({ data: rows.map((row) => toWebhook(row, c.get('now'))) } satisfies V1WebhookList);
});

webhooksV1.post('/webhooks', async (c) => {
  const owner = await requireOwner(c);
  const webhook = await createWebhook(c, owner, readJson(c, webhookInputV1));
  c.header('Location', `/api/v1/webhooks/${webhook.id}`);
  return c.json(webhook, 201);
});

webhooksV1.get('/webhooks/:webhookId', async (c) => {
  const row = await requireEndpoint(c, await requireOwner(c), c.req.param('webhookId'));
  return c.json(toWebhook(row, c.get('now')));
});

webhooksV1.patch('/webhooks/:webhookId', async (c) => {
  const owner = await requireOwner(c);
  const change = readJson(c, webhookPatchV1);
  return c.json(await changeWebhook(c, owner, c.req.param('webhookId'), change));
});

webhooksV1.delete('/webhooks/:webhookId', async (c) => {
  await deleteWebhook(c, await requireOwner(c), c.req.param('webhookId'));
  return c.body(null, 204);
});

webhooksV1.post('/webhooks/:webhookId/rotate', async (c) => {
  const owner = await requireOwner(c);
  const { overlapHours } = readJson(c, webhookRotateV1);
  return c.json(await rotateWebhook(c, owner, c.req.param('webhookId'), overlapHours));
});

webhooksV1.post('/webhooks/:webhookId/test', async (c) =>
  c.json(toV1Delivery(await sendTest(c, await requireOwner(c), c.req.param('webhookId')))),
);

webhooksV1.get('/webhooks/:webhookId/deliveries', async (c) => {
  const { cursor } = readQuery(c, deliveriesQueryV1);
  const row = await requireEndpoint(c, await requireOwner(c), c.req.param('webhookId'));
  const db = c.get('db');
  const before = cursor === undefined ? null : await findDelivery(db, row.id, cursor);
  if (cursor !== undefined && before === null) throw apiError('not_a_cursor');
  await recordRead(db, row, c.get('now'));
  const { deliveries, nextCursor } = await listDeliveries(db, row.id, before, c.get('origins'));
  return c.json({
    data: deliveries.map(toV1Delivery),
    nextCursor: nextCursor && (deliveries.at(-1)?.messageId ?? null),
  } satisfies V1DeliveryList);
});

webhooksV1.post('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', async (c) => {
  const owner = await requireOwner(c);
  const { id } = await requireEndpoint(c, owner, c.req.param('webhookId'));
  const delivery = await findDelivery(c.get('db'), id, c.req.param('deliveryId'));
  if (delivery === null) throw apiError('unknown_delivery');
  return c.json(toV1Delivery(await sendAgain(c, owner, id, delivery)));
});

/**
 * Returns the key's owner. Webhooks get the events of all links, so a key with a code prefix has
 * none.
 */
async function requireOwner(c: C): Promise<Owner> {
  const { userId, codePrefix, keyName } = requireKey(c);
  if (codePrefix !== '') throw apiError('webhooks_with_prefix');
  return { id: userId, email: (await readEmail(c.get('db'), userId)) ?? '', keyName };
}

/** The id of the log would reveal how many deliveries there are. */
function toV1Delivery({ messageId, ...delivery }: WebhookDelivery): V1Delivery {
  return { ...delivery, id: messageId };
}
