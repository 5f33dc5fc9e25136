import * as z from 'zod/mini';
import { rotateRequest } from '#contract/api/api-keys.ts';
import { atMost, CURSOR_MESSAGE } from '#contract/common-schemas.ts';
import { TARGET_MAX } from '#contract/limits.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from './webhook-events.ts';
import {
  changesWebhook,
  webhookChange,
  webhookDescription,
  webhookEvent,
  webhookEvents,
  webhookTag,
} from './webhooks.ts';

/** The webhooks of the public API (v1.ts). */

const url = z.string().check(atMost('url', TARGET_MAX));

/**
 * POST /api/v1/webhooks. Nothing is sent to a webhook without an address: its events are read from
 * its deliveries.
 */
export const webhookInputV1 = z.strictObject({
  url: z.nullable(url),
  description: z._default(webhookDescription, ''),
  events: z._default(webhookEvents, [...WEBHOOK_EVENTS]),
  tag: z.optional(webhookTag),
});
/** PATCH /api/v1/webhooks/:webhookId. Members that are absent keep their value. */
export const webhookPatchV1 = z
  .strictObject({ ...webhookChange.shape, url: z.optional(url) })
  .check(changesWebhook);
/** POST /api/v1/webhooks/:webhookId/rotate */
export const webhookRotateV1 = z.strictObject(rotateRequest.shape);

export const webhookStop = z.object({
  at: z.iso.datetime(),
  by: z.enum(['owner', 'gone', 'failing']),
});
export const webhookV1 = z.object({
  id: z.string(),
  url: z.nullable(z.url()),
  description: z.string(),
  events: z.array(webhookEvent),
  tag: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  disabled: z.nullable(webhookStop),
  failingSince: z.nullable(z.iso.datetime()),
  previousSecretUntil: z.nullable(z.iso.datetime()),
});
export const createdWebhookV1 = z.extend(webhookV1, { secret: z.string() });
export const webhookListV1 = z.object({ data: z.array(webhookV1) });
export type V1WebhookList = z.infer<typeof webhookListV1>;

export const deliveryType = z.enum([...WEBHOOK_EVENTS, TEST_EVENT]);
export const deliveryStatus = z.enum(['waiting', 'delivered', 'failed']);
export const endpointAnswer = z.object({
  status: z.int(),
  text: z.string(),
  durationMs: z.int(),
});
/** `id` is the header `webhook-id`, and `body` the body exactly as it is signed. */
export const deliveryV1 = z.object({
  id: z.string(),
  type: deliveryType,
  status: deliveryStatus,
  createdAt: z.iso.datetime(),
  attempts: z.int(),
  nextAttemptAt: z.nullable(z.iso.datetime()),
  response: z.nullable(endpointAnswer),
  error: z.nullable(z.string()),
  body: z.string(),
});
export type V1Delivery = z.infer<typeof deliveryV1>;
/** One page, newest first. */
export const deliveryListV1 = z.object({
  data: z.array(deliveryV1),
  nextCursor: z.nullable(z.string()),
});
export type V1DeliveryList = z.infer<typeof deliveryListV1>;

/** GET /api/v1/webhooks/:webhookId/deliveries */
export const deliveriesQueryV1 = z.strictObject({
  cursor: z.optional(z.string().check(z.maxLength(200, CURSOR_MESSAGE))),
});
