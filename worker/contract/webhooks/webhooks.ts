import * as z from 'zod/mini';
import { rotateRequest } from '#contract/api/api-keys.ts';
import { changesSomething, CURSOR_MESSAGE, oneLine } from '#contract/common-schemas.ts';
import { TAG_NAME_MAX } from '#contract/limits.ts';
import { link, LINK_STATES, LINK_STATUSES } from '#contract/v1/v1.ts';
import {
  LINK_EVENTS,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEventType,
} from './webhook-events.ts';

/**
 * Webhooks: signed requests to an address of the member's, about changes of their links and clicks
 * on them. Their form is Standard Webhooks (https://www.standardwebhooks.com). The OpenAPI document
 * is generated from the schemas of the events.
 */

export const webhookEvent = z.enum(WEBHOOK_EVENTS);

/**
 * Rises with every change of the link. An event with a lower number than one that a receiver has is
 * older than it.
 */
const sequence = z.int();
/** When it happened, also in a repeated attempt. */
const timestamp = z.iso.datetime();

/** A link right after the event, as in other responses of the API but without its clicks. */
export const webhookLink = z.extend(z.omit(link, { clicks: true, clickLimitUsed: true }), {
  status: z.enum([...LINK_STATUSES, 'deleted']),
  state: z.enum([...LINK_STATES, 'deleted']),
});
export type WebhookLink = z.infer<typeof webhookLink>;

export const linkEvent = z.object({
  type: z.enum(LINK_EVENTS),
  timestamp,
  sequence,
  data: z.object({
    link: webhookLink,
    /** The members of `link` that differ from before; empty for `link.created`. */
    changed: z.array(z.string()),
  }),
});

/** Clicks of people between two times, without data about a single person or click. */
export const clickedEvent = z.object({
  type: z.literal('link.clicked'),
  timestamp,
  sequence,
  data: z.object({
    linkId: z.string(),
    code: z.string(),
    shortUrl: z.url(),
    externalId: z.nullable(z.string()),
    clicks: z.int(),
    /** The times of the first and the last of these clicks. */
    from: z.iso.datetime(),
    to: z.iso.datetime(),
  }),
});

export const testEvent = z.object({
  type: z.literal(TEST_EVENT),
  timestamp,
  sequence,
  data: z.object({ webhookId: z.string() }),
});

export type WebhookEvent =
  | z.infer<typeof linkEvent>
  | z.infer<typeof clickedEvent>
  | z.infer<typeof testEvent>;

const DESCRIPTION_MAX = 100;

export const webhookUrl = z
  .string()
  .check(z.minLength(1, 'Enter the address that gets the events.'));
export const webhookDescription = oneLine('The description', DESCRIPTION_MAX);
export const webhookEvents = z
  .array(webhookEvent)
  .check(
    z.minLength(1, 'Choose at least one of the events.'),
    z.maxLength(WEBHOOK_EVENTS.length, 'events can name each event once.'),
  );

/** The name of a tag: only links with it cause events. Null for all links. */
export const webhookTag = z.nullable(z.string().check(z.maxLength(TAG_NAME_MAX)));

/** POST /api/webhooks → 201 `CreatedWebhook`, or 409 with as many endpoints as the plan allows. */
export const webhookRequest = z.object({
  url: webhookUrl,
  description: z._default(webhookDescription, ''),
  events: webhookEvents,
  tag: z.optional(webhookTag),
});
/** `url` is null for an endpoint without an address, which only the public API can create. */
export type WebhookRequest = Omit<z.infer<typeof webhookRequest>, 'url'> & { url: string | null };

export const changesWebhook = changesSomething(
  'Nothing to change. Send url, description, events, tag or enabled.',
);

/**
 * PATCH /api/webhooks/:id → `Webhook`. `enabled: true` also enables an endpoint that was disabled
 * for its failures.
 */
export const webhookChange = z
  .partial(z.extend(webhookRequest, { description: webhookDescription, enabled: z.boolean() }))
  .check(changesWebhook);
export type WebhookChange = z.infer<typeof webhookChange>;

/**
 * POST /api/webhooks/:id/rotate → `CreatedWebhook`. Requests are signed with both secrets for
 * `overlapHours` more hours.
 */
export const webhookRotateRequest = rotateRequest;

/**
 * An endpoint as its owner sees it. Times are RFC 3339. DELETE /api/webhooks/:id → `{ success: true
 * }`.
 */
export type Webhook = {
  id: string;
  /** Null: its events are only read through the public API. */
  url: string | null;
  description: string;
  events: WebhookEventType[];
  tag: string | null;
  createdAt: string;
  /** `gone`: the endpoint answered 410. `failing`: it failed for days. */
  disabled: { at: string; by: 'owner' | 'gone' | 'failing' } | null;
  /** When the current series of failures began; null if the last attempt succeeded. */
  failingSince: string | null;
  /** Requests are also signed with the previous secret until this time. */
  previousSecretUntil: string | null;
};
/**
 * GET /api/webhooks, newest first. `limits` are those of the member's plan; deliveries are counted
 * per day (UTC). `notSent` is the number of deliveries of the last seven days that were over their
 * day's limit.
 */
export type WebhooksResponse = {
  webhooks: Webhook[];
  limits: { endpoints: number; deliveriesPerDay: number };
  notSent: number;
};
/** `secret` signs the requests. No later response contains it. */
export type CreatedWebhook = Webhook & { secret: string };

/**
 * One event for one endpoint. POST /api/webhooks/:id/test and …/deliveries/:delivery/replay return
 * it after an attempt.
 */
export type WebhookDelivery = {
  id: number;
  /** The `webhook-id` header, the same for every attempt. */
  messageId: string;
  type: WebhookEventType | typeof TEST_EVENT;
  status: 'waiting' | 'delivered' | 'failed';
  createdAt: string;
  attempts: number;
  /** When the next attempt follows; null if there is none. */
  nextAttemptAt: string | null;
  /** The endpoint's response to the last attempt; null if there was none. */
  response: { status: number; text: string; durationMs: number } | null;
  /** Why the last attempt failed, as a sentence. */
  error: string | null;
  /** The request body, as JSON text. */
  body: string;
};
/** GET /api/webhooks/:id/deliveries?cursor=, newest first. */
export const deliveriesQuery = z.object({
  cursor: z._default(z.string().check(z.regex(/^[0-9]{0,15}$/, CURSOR_MESSAGE)), ''),
});
export type DeliveriesResponse = { deliveries: WebhookDelivery[]; nextCursor: string | null };
