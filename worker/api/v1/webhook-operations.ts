import { formatNumber } from '#contract/language.ts';
import { KEEP_WEBHOOK_DELIVERIES_DAYS, WEBHOOK_DELIVERIES_MAX } from '#contract/limits.ts';
import {
  createdWebhookV1,
  deliveriesQueryV1,
  deliveryListV1,
  deliveryV1,
  webhookInputV1,
  webhookListV1,
  webhookPatchV1,
  webhookRotateV1,
  webhookV1,
} from '#contract/webhooks/v1-webhooks.ts';
import { DELIVERIES_TEXTS } from './shapes/webhook-shapes.ts';
import { BODY, type Operation } from './operation.ts';

const PREFIX = 'Webhooks get the events of all links, so this needs a key without a code prefix.';
const SECRET =
  'The webhook with its `secret`, which signs the requests and which no later answer contains.';

export const webhookOperations: Readonly<Record<string, Operation>> = {
  'POST /api/v1/webhooks': {
    id: 'createWebhook',
    summary: 'Create a webhook',
    description: `A plan includes a number of webhooks (409 beyond it). The owner gets a mail. ${PREFIX}`,
    body: {
      schema: webhookInputV1,
      example: {
        url: 'https://example.com/hooks/hop',
        description: 'Order system',
        events: ['link.created', 'link.updated', 'link.deleted'],
        tag: 'sale',
      },
    },
    answer: { status: 201, content: createdWebhookV1, description: SECRET },
    errors: [...BODY, 'invalid_target', 'not_found', 'conflict'],
  },
  'GET /api/v1/webhooks': {
    id: 'listWebhooks',
    summary: 'List webhooks',
    description: PREFIX,
    answer: { status: 200, content: webhookListV1, description: 'All webhooks, newest first.' },
    errors: [],
  },
  'GET /api/v1/webhooks/:webhookId': {
    id: 'getWebhook',
    summary: 'Read a webhook',
    description: PREFIX,
    answer: { status: 200, content: webhookV1, description: 'The webhook.' },
    errors: ['not_found'],
  },
  'PATCH /api/v1/webhooks/:webhookId': {
    id: 'updateWebhook',
    summary: 'Change, disable or enable a webhook',
    description: `The owner gets a mail about a new address. ${PREFIX}`,
    body: { schema: webhookPatchV1, example: { tag: null, enabled: true } },
    answer: { status: 200, content: webhookV1, description: 'The webhook as it is now.' },
    errors: [...BODY, 'invalid_target', 'not_found', 'conflict'],
  },
  'POST /api/v1/webhooks/:webhookId/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description: `Requests are signed with both secrets for \`overlapHours\` more. ${PREFIX}`,
    body: { schema: webhookRotateV1, example: { overlapHours: 24 } },
    answer: { status: 200, content: createdWebhookV1, description: SECRET },
    errors: [...BODY, 'not_found', 'conflict'],
  },
  'POST /api/v1/webhooks/:webhookId/test': {
    id: 'testWebhook',
    summary: 'Send a test event',
    description: `It is sent at once, 10 times a minute at most. ${PREFIX}`,
    answer: { status: 200, content: deliveryV1, description: 'The delivery, with the answer.' },
    errors: ['not_found'],
  },
  'GET /api/v1/webhooks/:webhookId/deliveries': {
    id: 'listDeliveries',
    summary: 'List the deliveries of a webhook',
    description: `The log keeps each for ${KEEP_WEBHOOK_DELIVERIES_DAYS} days, and the newest ${formatNumber(WEBHOOK_DELIVERIES_MAX)}. ${PREFIX}`,
    query: { schema: deliveriesQueryV1, members: DELIVERIES_TEXTS, example: {} },
    answer: {
      status: 200,
      content: deliveryListV1,
      description: 'Up to 50 deliveries, newest first.',
    },
    errors: ['not_found'],
  },
  'POST /api/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver': {
    id: 'redeliverDelivery',
    summary: 'Send a delivery again',
    description: `It is sent at once and counts as a new delivery of the day. ${PREFIX}`,
    answer: { status: 200, content: deliveryV1, description: 'The delivery, with the answer.' },
    errors: ['not_found', 'conflict'],
  },
  'DELETE /api/v1/webhooks/:webhookId': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: `Its log is deleted, too. ${PREFIX}`,
    answer: { status: 204, content: null, description: 'The webhook is deleted.' },
    errors: ['not_found'],
  },
};
