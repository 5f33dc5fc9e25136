import type * as z from 'zod/mini';
import {
  clickedEvent,
  linkEvent,
  testEvent,
  type WebhookEvent,
} from '#contract/webhooks/webhooks.ts';
import {
  TEST_EVENT,
  WEBHOOK_EVENT_TEXTS,
  WEBHOOK_EVENTS,
} from '#contract/webhooks/webhook-events.ts';
import { EXAMPLE_LINK } from './shapes/link-shapes.ts';

type Json = Record<string, unknown>;

const TIME = '2027-01-31T12:00:00.000Z';
const { clicks: _clicks, clickLimitUsed: _used, ...LINK } = EXAMPLE_LINK;

const { id: linkId, code, shortUrl, externalId } = LINK;
const clicks = {
  linkId,
  code,
  shortUrl,
  externalId,
  clicks: 12,
  from: TIME,
  to: '2027-01-31T12:00:48.000Z',
};

/**
 * What the document says about each event, and the schema of its body. The tests parse the
 * examples.
 */
export const EVENT_DOCS: Readonly<
  Record<string, { text: string; schema: z.ZodMiniType; example: WebhookEvent }>
> = {
  ...Object.fromEntries(
    WEBHOOK_EVENTS.map((type) => [
      type,
      type === 'link.clicked'
        ? {
            text: WEBHOOK_EVENT_TEXTS[type],
            schema: clickedEvent,
            example: { type, timestamp: TIME, sequence: 1, data: clicks },
          }
        : {
            text: WEBHOOK_EVENT_TEXTS[type],
            schema: linkEvent,
            example: {
              type,
              timestamp: TIME,
              sequence: 1,
              data: { link: LINK, changed: ['title'] },
            },
          },
    ]),
  ),
  [TEST_EVENT]: {
    text: 'Somebody pressed *Send test event*.',
    schema: testEvent,
    example: {
      type: TEST_EVENT,
      timestamp: TIME,
      sequence: 0,
      data: { webhookId: 'f2f7b0a4-6c43-4b6f-9e5e-0d6c8f3f2a11' },
    },
  },
};

/** 'link.created' → 'onLinkCreated'. Generators make functions of it. */
const toId = (type: string): string =>
  `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`;

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'The same for every attempt. Ignore an event whose id you have handled.'),
  header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. Reject one that is older than five minutes.',
  ),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them, with a space between, during a rotation of the secret.',
  ),
];

/** The `webhooks` of the document. `toSchema` converts a schema to the document's form. */
export const webhookDocs = (toSchema: (schema: z.ZodMiniType) => Json): Json =>
  Object.fromEntries(
    Object.entries(EVENT_DOCS).map(([type, { text, schema, example }]) => [
      type,
      {
        post: {
          operationId: toId(type),
          summary: type,
          description: `${text} Signed as [Standard Webhooks](https://www.standardwebhooks.com) has it; members add addresses in Settings, and programs with \`POST /webhooks\`.`,
          tags: ['Webhooks'],
          // The signature proves the sender, so no API key is sent.
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(schema), example } },
          },
          responses: {
            '2XX': {
              description:
                'Accepts the event. Anything else, and no answer within 10 seconds, is tried again for three days.',
            },
            410: { description: 'Disables the webhook.' },
          },
        },
      },
    ]),
  );
