import type * as z from 'zod/mini';
import {
  createdWebhookV1,
  type deliveriesQueryV1,
  deliveryListV1,
  deliveryStatus,
  deliveryType,
  deliveryV1,
  endpointAnswer,
  webhookInputV1,
  webhookListV1,
  webhookPatchV1,
  webhookRotateV1,
  webhookStop,
  webhookV1,
} from '#contract/webhooks/v1-webhooks.ts';
import { WEBHOOK_FAILING_DAYS } from '#contract/webhooks/webhook-events.ts';
import { webhookEvent } from '#contract/webhooks/webhooks.ts';
import {
  describeAnswer,
  describeRequest,
  describeValue,
  type MemberTexts,
  type NamedSchema,
} from './shape.ts';

/** The OpenAPI schemas of webhooks and their deliveries. */

const EXAMPLE_WEBHOOK: z.infer<typeof webhookV1> = {
  id: 'f2f7b0a4-6c43-4b6f-9e5e-0d6c8f3f2a11',
  url: 'https://example.com/hooks/hop',
  description: 'Order system',
  events: ['link.created', 'link.updated', 'link.deleted'],
  tag: 'sale',
  createdAt: '2027-01-31T12:00:00.000Z',
  disabled: null,
  failingSince: null,
  previousSecretUntil: null,
};
const EXAMPLE_DELIVERY: z.infer<typeof deliveryV1> = {
  id: 'msg_9f86d081884c7d659a2feaa0c55ad015',
  type: 'webhook.test',
  status: 'delivered',
  createdAt: '2027-01-31T12:00:00.000Z',
  attempts: 1,
  nextAttemptAt: null,
  response: { status: 204, text: '', durationMs: 48 },
  error: null,
  body: '{"type":"webhook.test","timestamp":"2027-01-31T12:00:00.000Z","sequence":0,"data":{"webhookId":"f2f7b0a4-6c43-4b6f-9e5e-0d6c8f3f2a11"}}',
};

const DESCRIPTION = 'A text for people, which Settings shows.';
const ADDRESS = 'An https address of a public host, which answers 2xx within 10 seconds.';
const TAG =
  'The name of a tag: only links with it cause events, and one more when they lose it. Null for all links.';
const MEMBERS: MemberTexts<typeof webhookV1> = {
  id: 'The id of the webhook.',
  url: 'The address that gets the events; null for a webhook whose events are only read.',
  description: DESCRIPTION,
  events: 'The events that it gets.',
  tag: TAG,
  createdAt: 'When the webhook was created.',
  disabled: 'Since when and why it gets no events; null while it does.',
  failingSince: 'When the current series of failures began; null if the last attempt succeeded.',
  previousSecretUntil:
    'Until when requests are also signed with the secret before the last rotation; null if they are not.',
};
export const DELIVERIES_TEXTS: MemberTexts<typeof deliveriesQueryV1> = {
  cursor: '`nextCursor` of the page before.',
};

export const WEBHOOK_SHAPES: readonly NamedSchema[] = [
  describeValue('WebhookEventType', webhookEvent, 'An event that a webhook can get.'),
  describeAnswer('WebhookStop', webhookStop, 'Why a webhook gets no events.', {
    at: 'Since when.',
    by: `\`owner\`: somebody disabled it. \`gone\`: it answered 410. \`failing\`: it failed for ${WEBHOOK_FAILING_DAYS} days.`,
  }),
  describeAnswer('Webhook', webhookV1, 'A webhook.', MEMBERS, EXAMPLE_WEBHOOK),
  describeAnswer(
    'CreatedWebhook',
    createdWebhookV1,
    'A webhook with its secret.',
    {
      ...MEMBERS,
      secret: 'The secret that signs the requests. No later answer contains it.',
    },
    { ...EXAMPLE_WEBHOOK, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  ),
  describeAnswer(
    'WebhookList',
    webhookListV1,
    'All webhooks of the account.',
    { data: 'The webhooks, newest first.' },
    { data: [EXAMPLE_WEBHOOK] },
  ),
  describeRequest('WebhookInput', webhookInputV1, 'A new webhook.', {
    url: `${ADDRESS} With null, nothing is sent: read the events from its deliveries. Such a webhook ends an hour after they were last read.`,
    description: DESCRIPTION,
    events: 'The events that it gets; all of them if absent.',
    tag: TAG,
  }),
  describeRequest(
    'WebhookPatch',
    webhookPatchV1,
    'What changes. Absent members keep their value.',
    {
      url: ADDRESS,
      description: DESCRIPTION,
      events: 'The events that it gets.',
      tag: TAG,
      enabled:
        'Whether it gets events. `true` also enables one that was disabled for its failures.',
    },
  ),
  describeRequest('WebhookRotation', webhookRotateV1, 'How a secret is replaced.', {
    overlapHours: 'For how many hours requests are also signed with the present secret.',
  }),
  describeValue('DeliveryType', deliveryType, 'An event, or that of a test.'),
  describeValue(
    'DeliveryStatus',
    deliveryStatus,
    '`waiting` for an attempt, `delivered`, or `failed` for good.',
  ),
  describeAnswer('EndpointAnswer', endpointAnswer, 'What the address answered.', {
    status: 'The status.',
    text: 'The beginning of the body, up to 500 characters.',
    durationMs: 'How long the answer took, in ms.',
  }),
  describeAnswer(
    'Delivery',
    deliveryV1,
    'One event for one webhook.',
    {
      id: 'The id, which each of its requests has as `webhook-id`.',
      type: 'Which event it is.',
      status: 'Whether it has arrived.',
      createdAt: 'When the event happened.',
      attempts: 'How often it was sent.',
      nextAttemptAt: 'When the next attempt follows; null if there is none.',
      response: 'The answer to the last attempt; null if there was none.',
      error: 'Why the last attempt failed, as a sentence; null if it did not.',
      body: 'The body of its requests, exactly as it is signed.',
    },
    EXAMPLE_DELIVERY,
  ),
  describeAnswer(
    'DeliveryList',
    deliveryListV1,
    'One page of deliveries.',
    {
      data: 'The deliveries of this page, newest first.',
      nextCursor: '`cursor` of the next page; null on the last one.',
    },
    { data: [EXAMPLE_DELIVERY], nextCursor: null },
  ),
];
