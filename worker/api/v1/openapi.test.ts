import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { link } from '#contract/v1/v1.ts';
import { problem } from '#contract/v1/v1-problem.ts';
import { createdWebhookV1, deliveryV1 } from '#contract/webhooks/v1-webhooks.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '#contract/webhooks/webhook-events.ts';
import { KEY_ACCESS } from '#worker/api/access.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { numberOf } from '#worker/testing/link-ids.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { startSaas } from '#worker/testing/member-domains.ts';
import { OPERATIONS } from './operations.ts';
import { shapeOf } from './shapes/to-schema.ts';
import { EVENT_DOCS } from './webhook-docs.ts';

type Described = { description?: string };
type Document = {
  openapi: string;
  servers: { url: string }[];
  webhooks: Record<string, unknown>;
  components: {
    schemas: Record<string, Described & { properties?: Record<string, Described> }>;
  };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        description: string;
        parameters: (Described & { name: string; in: string; schema: object })[];
        requestBody?: { content: Record<string, { example?: unknown }> };
        responses: Record<string, { headers?: object }>;
      }
    >
  >;
};
const read = async (): Promise<Document> =>
  (await call('/api/v1/openapi.json', {}, builtAssets)).json();

describe('GET /api/v1/openapi.json', () => {
  it('describes every route that takes a key, with unique ids', async () => {
    const { openapi, servers, paths } = await read();
    expect(openapi).toBe('3.1.1');
    expect(servers).toEqual([{ url: 'http://localhost:8787/api/v1' }]);
    const origin = servers[0]?.url ?? '';
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${new URL(origin).pathname}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect([...routes, 'POST /api/mcp'].sort()).toEqual(
      Object.keys(KEY_ACCESS)
        .filter((route) => KEY_ACCESS[route] !== 'anyone')
        .sort(),
    );
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(routes.length);
  });

  it('resolves every reference, and names each parameter of a path', async () => {
    const document = await read();
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, ref = '']) => ref,
    );
    expect(refs.length).toBeGreaterThan(20);
    const valueAt = (ref: string) =>
      ref.split('/').reduce((value: unknown, name) => Object(value)[name], document);
    expect(refs.filter((ref) => valueAt(ref) === undefined)).toEqual([]);
    for (const [path, methods] of Object.entries(document.paths))
      for (const { parameters } of Object.values(methods)) {
        const named = parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name }) => `{${name}}`);
        expect(named).toEqual(path.match(/\{\w+\}/g) ?? []);
        for (const { schema } of parameters) expect(Object.keys(schema).length).toBeGreaterThan(0);
      }
  });

  it('describes every operation, parameter and member, with examples of requests', async () => {
    const { paths, components } = await read();
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId, summary, description, parameters, requestBody } = operation;
        expect(operationId, path).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
        expect(summary, path).toMatch(/^[A-Z].*[^.]$/);
        expect(description, `${method} ${path}`).toMatch(/\.$/);
        for (const { name, schema, ...parameter } of parameters) {
          expect(parameter.description, `${operationId} ${name}`).toMatch(/\.$/);
          const shows = [...Object.keys(parameter), ...Object.keys(schema)];
          const hasExample = shows.some((key) =>
            ['example', 'default', 'enum', '$ref'].includes(key),
          );
          expect(hasExample, `${operationId} ${name} has an example`).toBe(true);
        }
        for (const body of Object.values(requestBody?.content ?? {}))
          expect(body.example, operationId).toBeDefined();
      }
    for (const [name, schema] of Object.entries(components.schemas)) {
      expect(schema.description, name).toMatch(/\.$/);
      for (const [member, { description }] of Object.entries(schema.properties ?? {}))
        expect(description, `${name} ${member}`).toMatch(/\.$/);
    }
  });

  it('gives an example of every answer, with all its members', async () => {
    const document = await read();
    for (const [route, { answer }] of Object.entries(OPERATIONS)) {
      if (typeof answer.content !== 'object' || answer.content === null) continue;
      const shape = shapeOf(answer.content);
      expect(shape?.name, `${route} has a shape in worker/api/v1/shapes/`).toBeDefined();
      expect(strictly(answer.content).safeParse(shape?.example), route).toMatchObject({
        success: true,
      });
      const members = answer.content instanceof z.ZodMiniObject ? answer.content.shape : {};
      expect(Object.keys(Object(shape?.example)).sort(), route).toEqual(
        Object.keys(members).sort(),
      );
      expect(JSON.stringify(document.paths)).toContain(JSON.stringify(shape?.example));
    }
  });

  it('repeats no schema: objects and values of a choice have a name', async () => {
    const { paths, webhooks, components } = await read();
    const choices: string[] = [];
    const visit = (part: unknown, isNamed = false): void => {
      if (typeof part !== 'object' || part === null) return;
      if ('properties' in part) expect(isNamed, JSON.stringify(part).slice(0, 200)).toBe(true);
      if ('enum' in part && !isNamed) choices.push(JSON.stringify(part.enum));
      const {
        example: _,
        examples: __,
        properties,
        ...rest
      }: Record<string, unknown> = { ...part };
      for (const inner of [...Object.values(rest), ...Object.values(Object(properties))])
        visit(inner);
    };
    visit(paths);
    visit(webhooks);
    for (const schema of Object.values(components.schemas)) visit(schema, true);
    const repeated = choices.filter((one, at) => choices.indexOf(one) !== at);
    expect(repeated.filter((one) => one !== '["true","false"]')).toEqual([]);
  });

  it('names the schema of a link and of an error', async () => {
    const { components, paths } = await read();
    expect(Object.keys(components.schemas['Link']?.properties ?? {})).toEqual(
      Object.keys(link.shape),
    );
    expect(Object.keys(components.schemas['WrittenLink']?.properties ?? {})).toEqual(
      Object.keys(link.shape),
    );
    expect(components.schemas['WrittenLink']).toMatchObject({
      required: ['id', 'code', 'shortUrl'],
    });
    const answerOf = (path: string, method: string, status: number) =>
      Object(paths[path]?.[method]?.responses)[status].content['application/json'].schema;
    expect(answerOf('/links/{id}', 'get', 200)).toEqual({ $ref: '#/components/schemas/Link' });
    for (const [path, method, status] of [
      ['/links', 'post', 201],
      ['/links/{id}', 'patch', 200],
      ['/links/by-external-id/{externalId}', 'put', 200],
      ['/links/by-external-id/{externalId}', 'put', 201],
    ] as const)
      expect(answerOf(path, method, status), path).toEqual({
        $ref: '#/components/schemas/WrittenLink',
      });
  });

  it('describes every event of webhooks, with an example that fits its schema', async () => {
    const { webhooks } = await read();
    expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS, TEST_EVENT]);
    for (const [type, { schema, example }] of Object.entries(EVENT_DOCS)) {
      expect(schema.safeParse(example), type).toMatchObject({ success: true });
      expect(JSON.stringify(webhooks[type])).toContain(JSON.stringify(example));
    }
    expect(
      Object(webhooks['link.clicked']).post.requestBody.content['application/json'].schema,
    ).toEqual({ $ref: '#/components/schemas/ClickedEvent' });
  });

  it('the document has the limits of the schemas', async () => {
    const { paths } = await read();
    const limit = paths['/links']?.['get']?.parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });

  it('the document has examples that work in order, and answers that fit their schemas', async () => {
    const holder = await makeKey();
    const { settings } = startSaas();
    await makeDomain('go.example.com', { owner: holder.person.id });
    let id = '';
    let webhookId = '';
    let deliveryId = '';
    for (const [route, { query, body, answer, alsoStatus }] of Object.entries(OPERATIONS)) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern
        .slice('/api/v1'.length)
        .replace(':id', id)
        .replace(':webhookId', webhookId)
        .replace(':deliveryId', deliveryId)
        .replace(':code', 'summer-sale')
        .replace(':domain', 'go.example.com')
        .replace(':externalId', 'campaign-42')
        // The merge leaves the tag `sale`.
        .replace(':name', method === 'DELETE' ? 'sale' : 'campaigns');
      const search = query === undefined ? '' : `?${new URLSearchParams(query.example).toString()}`;
      if (query !== undefined)
        expect(query.schema.safeParse(query.example).success, route).toBe(true);
      const response = await send(
        holder,
        `${method} ${path}${search}`,
        body === undefined ? {} : { json: body.example },
        settings,
      );
      expect([answer.status, alsoStatus], route).toContain(response.status);
      if (typeof answer.content === 'string')
        expect(response.headers.get('Content-Type')).toContain(answer.content);
      else if (answer.content !== null) {
        const json: unknown = await response.json();
        expect(strictly(answer.content).safeParse(json), route).toMatchObject({ success: true });
        if (route === 'POST /api/v1/links') ({ id } = link.parse(json));
        if (route === 'POST /api/v1/webhooks') webhookId = createdWebhookV1.parse(json).id;
        if (route.endsWith('/test')) deliveryId = deliveryV1.parse(json).id;
      }
    }
    expect(
      await env.DB.prepare('SELECT status FROM links WHERE id = ?1')
        .bind(await numberOf(id))
        .first('status'),
    ).toBe('deleted');
  });

  it('describes the errors that routes answer with', async () => {
    const { paths } = await read();
    const holder = await makeKey({ scopes: ['links:read'] });
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const route = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '7')}`;
        const json = method === 'get' || method === 'delete' ? {} : { json: {} };
        const response = await send(holder, `${route}?limit=x&range=x`, json);
        expect(Object.keys(responses), route).toContain(String(response.status));
        if (!response.ok) problem.parse(await response.json());
        const waiting = Object.entries(responses).flatMap(([status, { headers = {} }]) =>
          'Retry-After' in headers ? [status] : [],
        );
        expect(waiting, route).toEqual(['429', '503']);
      }
  });
});

/** Makes a schema reject unknown members at its top level. */
const strictly = (schema: z.ZodMiniType): z.ZodMiniType =>
  schema instanceof z.ZodMiniObject ? z.strictObject(schema.shape) : schema;
