import type * as z from 'zod/mini';
import { SCOPE_TEXTS, SCOPES } from '#contract/api/scopes.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { SITE_NAME } from '#contract/site.ts';
import { problem, type V1Code } from '#contract/v1/v1-problem.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import { PATCH_TYPES } from '#contract/pages/media-types.ts';
import { COMMON, type Operation } from './operation.ts';
import {
  headersOf,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  IF_NONE_MATCH,
  pathParameters,
  queryParameters,
  refsTo,
  RESPONSE_HEADERS,
} from './parameters.ts';
import { problemExamples } from './problem-examples.ts';
import { OPERATIONS } from './operations.ts';
import { namedSchemas, refTo, shapeOf, toSchema, type Json } from './shapes/to-schema.ts';
import { webhookDocs } from './webhook-docs.ts';
import { PROBLEMS } from '#worker/messages/public-api.ts';

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
      examples: problemExamples(origin, [
        ...COMMON,
        ...Object.values(OPERATIONS).flatMap(({ errors }) => errors),
      ]),
      headers: RESPONSE_HEADERS,
    },
  };
}

const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Links', 'Short links of the key’s owner.'],
  ['Import and export', 'Moving links between services and accounts.'],
  ['Tags', 'Names and colors with which a member groups links.'],
  ['Domains', 'Hosts for short links.'],
  ['Analytics', 'Clicks on links.'],
  ['Account', 'The key and its owner’s plan.'],
  ['Webhooks', 'Requests that your own systems get about changes and clicks.'],
];

function tagOf(template: string): string {
  if (/\/analytics\b/.test(template)) return 'Analytics';
  if (template.startsWith('/tags')) return 'Tags';
  if (template.startsWith('/domains')) return 'Domains';
  if (/^\/(?:imports|export)/.test(template)) return 'Import and export';
  if (template.startsWith('/webhooks')) return 'Webhooks';
  return template.startsWith('/links') ? 'Links' : 'Account';
}

function describe(route: string, template: string, operation: Operation): Json {
  const { id, summary, description, query, body, answer, otherTypes, alsoStatus } = operation;
  const scopes = KEY_ACCESS[route] ?? [];
  const needs =
    scopes === 'anyone' || scopes.length === 0
      ? 'Any key.'
      : `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  const success = {
    description: answer.description,
    headers: headersOf(operation),
    ...(answer.content === null
      ? {}
      : {
          content: Object.assign(contentOf(answer.content), ...(otherTypes ?? []).map(contentOf)),
        }),
  };
  return {
    operationId: id,
    summary,
    description: description === undefined ? needs : `${description} ${needs}`,
    tags: [tagOf(template)],
    parameters: [
      ...pathParameters(template),
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

const contentOf = (content: z.ZodMiniType | string): Json =>
  typeof content === 'string'
    ? {
        [content]: {
          schema: { type: 'string', ...(content === 'image/png' ? { format: 'binary' } : {}) },
        },
      }
    : {
        'application/json': {
          schema: schemaOf(content, 'output'),
          example: shapeOf(content)?.example,
        },
      };

/** One response for each status. Its description lists the possible codes. */
function errorResponses(codes: readonly V1Code[]): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_CODES[code]))];
  const codesOf = (status: number): V1Code[] =>
    [...new Set(codes)].filter((code) => ERROR_CODES[code] === status);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codesOf(status)
          .map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`)
          .join(' '),
        ...(status === 429 || status === 503 ? { headers: refsTo(['Retry-After']) } : {}),
        content: {
          'application/problem+json': {
            schema: schemaOf(problem, 'output'),
            examples: Object.fromEntries(
              codesOf(status).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** A schema of the document: a reference to the one with its name. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const shape = shapeOf(schema);
  return shape === undefined ? toSchema(schema, io) : refTo(shape);
}
