import * as z from 'zod/mini';
import { SCOPE_TEXTS, SCOPES } from '#contract/api-keys.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { SITE_NAME } from '#contract/site.ts';
import { link, linkInput, writtenLink } from '#contract/v1.ts';
import { problem, problemPart, type V1Code } from '#contract/v1-problem.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import { PATCH_TYPES } from '#contract/media-types.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { webhookDocs } from './webhook-docs.ts';
import { PROBLEMS } from '#worker/messages/public-api.ts';

type Json = Record<string, unknown>;

/** The errors of every route that takes a key. */
const COMMON: readonly V1Code[] = [
  'invalid_query',
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
];

const RATE_HEADERS = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/**
 * Builds the OpenAPI 3.1 document from the schemas that the routes validate with, the access rules
 * and the table of operations.
 */
export function openApiDocument(origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const [route, operation] of Object.entries(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ');
    const template = path.slice('/api/v1'.length).replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: describe(route, template, operation),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${SITE_NAME} API`,
      version: '1',
      summary: 'Create short links and read the clicks on them.',
      description: `Send an API key as \`Authorization: Bearer hop_live_…\`; members create keys in Settings. A POST that creates links can be repeated safely with an \`Idempotency-Key\`. Errors are [problems](${origin}/api/v1/errors).`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/api/v1` }],
    security: [{ apiKey: [] }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookDocs((schema) => schemaOf(schema, 'output')),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `Scopes: ${SCOPES.map((scope) => `\`${scope}\` (${SCOPE_TEXTS[scope].detail})`).join(' ')}`,
        },
      },
      schemas: namedSchemas(),
      headers: {
        RateLimit: {
          description: 'What is left: `"minute";r=<requests>;t=<seconds until it resets>`.',
          schema: { type: 'string' },
        },
        RateLimitPolicy: {
          description: 'The limit of the key: `"minute";q=<requests>;w=60`.',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
      },
    },
  };
}

const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Links', 'Short links of the key’s owner.'],
  ['Tags', 'Names and colors with which a member groups links.'],
  ['Analytics', 'Clicks on links.'],
  ['Account', 'The key and its owner’s plan.'],
  ['Webhooks', 'Requests that your own systems get about changes and clicks.'],
];

function tagOf(template: string): string {
  if (template.endsWith('analytics')) return 'Analytics';
  if (template.startsWith('/tags')) return 'Tags';
  return template.startsWith('/links') ? 'Links' : 'Account';
}

function describe(route: string, template: string, operation: Operation): Json {
  const { id, summary, description, query, body, answer, alsoStatus } = operation;
  const scopes = KEY_ACCESS[route] ?? [];
  const needs =
    scopes === 'anyone' || scopes.length === 0
      ? 'Any key.'
      : `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  const success = {
    description: answer.description,
    headers: RATE_HEADERS,
    ...(answer.content === null ? {} : { content: contentOf(answer.content) }),
  };
  return {
    operationId: id,
    summary,
    description: description === undefined ? needs : `${description} ${needs}`,
    tags: [tagOf(template)],
    parameters: [
      ...[...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...(query === undefined ? [] : queryParameters(query)),
      ...(operation.errors.includes('request_in_progress') ? [IDEMPOTENCY_KEY] : []),
      ...(operation.errors.includes('precondition_failed') ? [IF_MATCH] : []),
      ...(operation.isConditional === true ? [IF_NONE_MATCH] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              (route.startsWith('PATCH ') ? PATCH_TYPES : ['application/json']).map((type) => [
                type,
                { schema: schemaOf(body.schema, 'input'), example: body.example },
              ]),
            ),
          },
        }),
    responses: {
      [answer.status]: success,
      ...(alsoStatus === undefined
        ? {}
        : { [alsoStatus]: { ...success, description: 'The new link.' } }),
      ...(operation.isConditional === true
        ? { 304: { description: 'The link is as `If-None-Match` says.' } }
        : {}),
      ...errorResponses([...COMMON, ...operation.errors]),
    },
  };
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the link as you read it. If it has been changed since, the answer is 412. Clicks do not count as a change.',
  schema: { type: 'string' },
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the link as you have it. If nothing has changed, the answer is 304.',
  schema: { type: 'string' },
};
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text that you use for no other request, such as a UUID. Repetitions with the same API key within 24 hours get the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const contentOf = (content: z.ZodMiniType | string): Json =>
  typeof content === 'string'
    ? {
        [content]: {
          schema: { type: 'string', ...(content === 'image/png' ? { format: 'binary' } : {}) },
        },
      }
    : { 'application/json': { schema: schemaOf(content, 'output') } };

/** One response for each status. Its description lists the possible codes. */
function errorResponses(codes: readonly V1Code[]): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_CODES[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: [...new Set(codes)]
          .filter((code) => ERROR_CODES[code] === status)
          .map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`)
          .join(' '),
        ...(status === 429 || status === 503
          ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
          : {}),
        content: { 'application/problem+json': { schema: refTo('Problem') } },
      },
    ]),
  );
}

function queryParameters({ schema, example }: NonNullable<Operation['query']>): Json[] {
  const { properties } = toSchema(schema, 'output', true);
  return Object.entries(Object(properties)).map(([name, property]) => {
    const parameter = { name, in: 'query', required: false, schema: property };
    const text = example[name];
    if (text === undefined) return parameter;
    return Object.assign(parameter, {
      example: Object(property)['type'] === 'integer' ? Number(text) : text,
    });
  });
}

/** Schemas that have a name in the document, so that generated clients have a type for each. */
const NAMES: readonly (readonly [schema: z.ZodMiniType, name: string])[] = [
  [link, 'Link'],
  [writtenLink, 'WrittenLink'],
  [linkInput, 'LinkInput'],
  [problem, 'Problem'],
  [problemPart, 'ProblemPart'],
];
const NAMED: ReadonlyMap<unknown, string> = new Map(NAMES);

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const name = NAMED.get(schema);
  return name === undefined ? toSchema(schema, io) : refTo(name);
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const namedSchemas = (): Json =>
  Object.fromEntries(
    NAMES.map(([schema, name]) => [
      name,
      toSchema(schema, schema === linkInput ? 'input' : 'output'),
    ]),
  );

export function toSchema(schema: z.ZodMiniType, io: 'input' | 'output', isQuery = false): Json {
  const root: unknown = schema;
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A format implies its pattern in an answer. Requests are strict; answers may get further members, which
      // clients must not reject.
      // A time in a request is more limited than RFC 3339: `T` and `Z` are capital letters.
      const isAnswer = io === 'output' && !isQuery;
      if (jsonSchema.format !== undefined && isAnswer) delete jsonSchema.pattern;
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      const name = zodSchema === root ? undefined : NAMED.get(zodSchema);
      if (name === undefined) return;
      for (const member of Object.keys(jsonSchema)) delete jsonSchema[member];
      Object.assign(jsonSchema, refTo(name));
    },
  });
  return rest;
}
