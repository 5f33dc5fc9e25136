import { KEEP_REPEATABLE_REQUESTS_HOURS } from '#contract/limits.ts';
import { link, writtenLink } from '#contract/v1/v1.ts';
import type { Operation } from './operation.ts';
import { queryMembers, type Json } from './shapes/to-schema.ts';

/** What the OpenAPI document says about parameters and headers. */

const PATH_PARAMETERS: Readonly<Record<string, { description?: string; example?: string }>> = {
  id: { description: 'The `id` of the link.', example: 'lnk_7cfjgEYp0Sa0YBLen3iIh1' },
  code: {
    description: 'The `code` of the link, an earlier one, or its short URL without `https://`.',
    example: 'summer-sale',
  },
  externalId: {
    description: 'The id that your own system has for the link.',
    example: 'campaign-42',
  },
  name: { description: 'The name of the tag, in any case.', example: 'campaigns' },
  domain: { description: 'The host of the domain.', example: 'go.example.com' },
  webhookId: {
    description: 'The `id` of the webhook.',
    example: 'f2f7b0a4-6c43-4b6f-9e5e-0d6c8f3f2a11',
  },
  deliveryId: {
    description: 'The `id` of the delivery, which its requests have as `webhook-id`.',
    example: 'msg_9f86d081884c7d659a2feaa0c55ad015',
  },
};

/** Examples of parameters that the example of a request leaves out. */
const EXAMPLES: Readonly<Record<string, string>> = {
  cursor: 'eyJpZCI6MTIzfQ',
  tag: 'sale',
  host: 'example.com',
  domain: 'go.example.com',
  minClicks: '1',
  maxClicks: '100',
  lastClickBefore: '2027-01-01T00:00:00Z',
  start: '2027-01-01',
  end: '2027-01-31',
  linkIds: 'lnk_7cfjgEYp0Sa0YBLen3iIh1,lnk_31qg7YeQhWDlNsQCa1Bm77',
  country: 'DE',
  device: 'Mobile',
  browser: 'Firefox',
  os: 'Android',
  referrer: 'news.example',
  utmSource: 'newsletter',
  utmMedium: 'email',
  utmCampaign: 'summer',
  import: 'import-2024-spring',
};

/** A part of a path means the same in every path, unless its path has an entry. */
export const pathParameters = (template: string): Json[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description, example } =
      PATH_PARAMETERS[`${template} ${name}`] ?? PATH_PARAMETERS[name] ?? {};
    return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
  });

export function queryParameters({
  schema,
  members,
  example,
}: NonNullable<Operation['query']>): Json[] {
  const parameters = Object.entries(queryMembers(schema, members));
  return parameters.map(([name, { description, ...property }]) => {
    const text = example[name] ?? EXAMPLES[name];
    return {
      name,
      in: 'query',
      required: false,
      description,
      schema: property,
      example: property['type'] === 'integer' && text !== undefined ? Number(text) : text,
    };
  });
}

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the link as you read it. If it has been changed since, the answer is 412. Clicks do not count as a change.',
  schema: { type: 'string' },
  example: '"1k2x3y.9z8w7v"',
};
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the link as you have it. If nothing has changed, the answer is 304.',
  schema: { type: 'string' },
  example: '"1k2x3y.9z8w7v"',
};
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Any text that you use for no other request, such as a UUID. Repetitions with the same API key within ${KEEP_REPEATABLE_REQUESTS_HOURS} hours get the first answer.`,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
};

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } });

export const RESPONSE_HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': header('The id of the request. Tell it to support.'),
  RateLimit: header('What is left: `"minute";r=<requests>;t=<seconds until it resets>`.'),
  'RateLimit-Policy': header('The limit of the key: `"minute";q=<requests>;w=60`.'),
  'Retry-After': header('Seconds to wait before the request is sent again.', 'integer'),
  ETag: header('Identifies what the link is like now, for `If-Match` and `If-None-Match`.'),
  Location: header('The address of the new link in this API.'),
  'Idempotency-Replayed': header('`true` for the stored answer of a repeated request.'),
};

export const refsTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const headersOf = ({ errors, answer, alsoStatus }: Operation): Json =>
  refsTo([
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...(answer.content === link || answer.content === writtenLink ? ['ETag'] : []),
    ...(answer.content === writtenLink && [answer.status, alsoStatus].includes(201)
      ? ['Location']
      : []),
    ...(errors.includes('request_in_progress') ? ['Idempotency-Replayed'] : []),
  ]);
