import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { BulkResult, V1Link } from '#contract/v1/v1.ts';
import { problem, type Problem } from '#contract/v1/v1-problem.ts';
import {
  hasUnknownName,
  KNOWN,
  requestsTo,
  wellFormed,
  type Document,
  type Schema,
} from '#scripts/test/fuzz-requests.ts';
import { makeKey, send, type KeyHolder } from '#worker/testing/api-key.ts';
import { builtAssets } from '#worker/testing/assets.ts';
import { call } from '#worker/testing/call.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { OPERATIONS } from './operations.ts';

/**
 * The quick form of `npm test -- fuzz`: requests made from the OpenAPI document, with a fixed seed.
 */
const SEED = 7;
const PER_OPERATION = 4;

let document: Document;
let holder: KeyHolder;
let known: Record<string, string>;

beforeAll(async () => {
  document = await (await call('/api/v1/openapi.json', {}, builtAssets)).json();
  holder = await makeKey();
});

let tests = 0;

// A random request of another test may have deleted its link.
beforeEach(async () => {
  tests += 1;
  const name = `prop-${tests}`;
  const created = await send(holder, 'POST /links', {
    json: { url: 'https://example.com/', code: name, externalId: name, tags: ['sale'] },
  });
  const { id, code } = await created.json<V1Link>();
  const webhook = await send(holder, 'POST /webhooks', { json: { url: null } });
  const { id: webhookId } = await webhook.json<{ id: string }>();
  const domain = `go.${name}.test-host.com`;
  await makeDomain(domain, { owner: holder.person.id });
  known = { id, code, domain, externalId: name, name: 'sale', webhookId, deliveryId: 'msg_1' };
});

const pathOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
const targets = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
const operationOf = (method: string, path: string) =>
  OPERATIONS[`${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`];
const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

/** Sends a request. A member who has used up the requests of a minute is replaced. */
async function ask(route: string, given: Parameters<typeof send>[2] = {}): Promise<Response> {
  const response = await send(holder, route, given);
  if (response.status !== 429) return response;
  holder = await makeKey();
  return send(holder, route, given);
}

/** The parts of the request that its answer rejects: names of parameters, or JSON pointers. */
async function rejectedParts(route: string, json?: unknown, fits = false): Promise<string[]> {
  const response = await ask(route, json === undefined ? {} : { json });
  // A value that fits can still be in conflict with a link.
  if (response.ok || (fits && response.status !== 400)) return [];
  const { errors = [] } = await response.json<Problem>();
  return errors.map(({ parameter, pointer = '' }) => parameter ?? pointer);
}

describe('the OpenAPI document', () => {
  it('answers random requests as described, and accepts no unknown name', async () => {
    for (const target of targets()) {
      const { method, path, operation } = target;
      for (const request of fc.sample(requestsTo(target, document), {
        numRuns: PER_OPERATION,
        seed: SEED,
      })) {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          const text = request.path[name] ?? '';
          // An empty part or dots would change the path to another operation.
          return /^\.{0,2}$/.test(text) || text === KNOWN
            ? (known[name] ?? '')
            : encodeURIComponent(wellFormed(text));
        });
        const search = new URLSearchParams(
          request.query.map(([name, value]): [string, string] => [name, wellFormed(value)]),
        );
        const response = await send(
          holder,
          `${method.toUpperCase()} ${filled}?${search.toString()}`,
          {
            ...(request.body === null ? {} : { body: request.body }),
            headers: { 'Content-Type': 'application/json', ...request.headers },
          },
        );
        const shown = `${method} ${filled}?${search.toString()} ${request.body ?? ''}`;
        expect(Object.keys(operation.responses), shown).toContain(String(response.status));
        expect(response.ok && hasUnknownName(request), shown).toBe(false);
        const { content } = operationOf(method, path)?.answer ?? {};
        if (!response.ok) problem.parse(await response.json());
        else if (content !== null && typeof content === 'object')
          expect(strictly(content).safeParse(await response.json()), shown).toMatchObject({
            success: true,
          });
      }
    }
  });

  it('every operation rejects a parameter and a member that the document does not have', async () => {
    for (const { method, path, operation } of targets()) {
      const route = `${method.toUpperCase()} ${pathOf(path)}`;
      const example = operationOf(method, path)?.body?.example;
      expect(await rejectedParts(`${route}?nothing=1`, example), route).toEqual(['nothing']);
      if (operation.requestBody === undefined) continue;
      const json = { ...example, nothing: 1 };
      expect(await rejectedParts(route, json), route).toEqual(['/nothing']);
    }
    const links = [{ url: 'https://example.com/', nothing: 1 }];
    const bulk = await send(holder, 'POST /links/bulk', { json: { links } });
    expect((await bulk.json<BulkResult>()).results).toMatchObject([
      { ok: false, errors: [{ pointer: '/links/0/nothing' }] },
    ]);
  });

  it('limits of the document are those of the server', async () => {
    const isFirst = createFirst();
    let limits = 0;
    for (const { method, path, operation } of targets()) {
      const route = `${method.toUpperCase()} ${pathOf(path)}`;
      for (const { name, in: place, schema } of operation.parameters) {
        if (place !== 'query' || !isFirst(schema, name)) continue;
        for (const [value, fits] of boundaries(schema, name)) {
          limits += 1;
          const search = new URLSearchParams({ [name]: String(value) });
          const parts = await rejectedParts(`${route}?${search.toString()}`);
          expect(parts.includes(name), `${route} ${name}=${String(value).slice(0, 60)}`).toBe(
            !fits,
          );
        }
      }
      for (const { name, in: place, schema } of operation.parameters) {
        if (place !== 'header' || name !== 'Idempotency-Key' || !isFirst(schema, name)) continue;
        for (const [value, fits] of boundaries(schema, name)) {
          limits += 1;
          const response = await ask(route, {
            json: operationOf(method, path)?.body?.example,
            headers: { [name]: String(value) },
          });
          const parts = response.status === 400 ? (await response.json<Problem>()).errors : [];
          const isRejected = parts?.some(({ header }) => header === name) === true;
          expect(isRejected, `${route} ${name}: ${String(value).slice(0, 9)}`).toBe(!fits);
        }
      }
      const body = operation.requestBody?.content['application/json'].schema;
      const example = operationOf(method, path)?.body?.example;
      const members = Object.entries(resolve(body ?? {}).properties ?? {});
      for (const [name, schema] of members.filter(([one, of]) => isFirst(of, one)))
        for (const [value, fits] of boundaries(schema, name)) {
          limits += 1;
          const parts = await rejectedParts(
            route,
            {
              ...(path === '/links/actions' ? actionWith(name) : example),
              [name]: value,
            },
            fits,
          );
          const isRejected = parts.some((part) => part.split('/')[1] === name);
          expect(isRejected, `${route} ${name}: ${JSON.stringify(value).slice(0, 60)}`).toBe(!fits);
        }
    }
    expect(limits).toBeGreaterThan(60);
  });

  it('limits of items and of filters are those of the server', async () => {
    let limits = 0;
    for (const { method, path, operation } of targets()) {
      const route = `${method.toUpperCase()} ${pathOf(path)}`;
      const example = operationOf(method, path)?.body?.example;
      const body = resolve(operation.requestBody?.content['application/json'].schema ?? {});
      for (const [name, given] of Object.entries(body.properties ?? {})) {
        const schema = resolve(given);
        const members = Object.entries(resolve(schema.items ?? schema).properties ?? {});
        const cases = members.flatMap(([member, inner]) =>
          boundaries(inner, member).map(([value, fits]) => ({ member, value, fits })),
        );
        limits += cases.length;
        if (
          cases.length > 0 &&
          schema.type === 'array' &&
          name !== 'rules' &&
          name !== 'variants'
        ) {
          const items = cases.map(({ member, value }) => ({
            url: 'https://example.com/',
            [member]: value,
          }));
          const response = await ask(route, { json: { ...example, [name]: items } });
          const { results } = await response.json<BulkResult>();
          for (const [at, { member, value, fits }] of cases.entries()) {
            const { errors = [] } = Object(results[at]);
            const isRejected = JSON.stringify(errors).includes(`/${name}/${at}/${member}`);
            const shown = `${route} ${member}: ${JSON.stringify(value).slice(0, 60)}`;
            if (!fits) expect(isRejected, shown).toBe(true);
            else
              expect(isRejected && Object(results[at]).code === 'invalid_body', shown).toBe(false);
          }
        } else
          for (const { member, value, fits } of cases) {
            const [part, at] =
              schema.type === 'array'
                ? [[Object.assign({}, itemOf(name, 0), { [member]: value })], '/0']
                : [{ [member]: value }, ''];
            const parts = await rejectedParts(route, { ...example, [name]: part }, fits);
            const isRejected = parts.includes(`/${name}${at}/${member}`);
            expect(isRejected, `${route} ${member}: ${JSON.stringify(value).slice(0, 60)}`).toBe(
              !fits,
            );
          }
      }
    }
    expect(limits).toBeGreaterThan(60);
  });
});

const ADDRESSES = new Set(['url', 'fallbackUrl', 'watchFallback', 'to', 'rootUrl', 'notFoundUrl']);
const RULE = { if: { country: ['BR'] }, to: 'https://example.com/' };

type Limits = Schema & {
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  minItems?: number;
  pattern?: string;
  const?: unknown;
  default?: unknown;
};

/** Returns a function that is true once for each name and schema that operations have alike. */
function createFirst(): (schema: Schema, name: string) => boolean {
  const seen = new Set<string>();
  return (schema, name) => seen.size < seen.add(`${name} ${JSON.stringify(schema)}`).size;
}

/** Values at each limit of a schema, which fit, and values just beyond it, which do not. */
function boundaries(given: Schema, name: string): [value: unknown, fits: boolean][] {
  const schema: Limits = resolve(given);
  const { anyOf, type, minimum, maximum, maxLength, minLength, maxItems, minItems } = schema;
  if (anyOf !== undefined)
    return anyOf.flatMap((part) => boundaries(part, name)).filter(([value]) => value !== null);
  const text = (length: number): string =>
    ADDRESSES.has(name) ? `https://example.com/${'a'.repeat(length - 20)}` : 'a'.repeat(length);
  const values: [unknown, boolean][] = [];
  if (type === 'integer') {
    if (minimum !== undefined) values.push([minimum, true], [minimum - 1, false]);
    if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
      values.push([maximum, true], [maximum + 1, false]);
  }
  const isFree = [schema.format, schema.enum, schema.const].every((one) => one === undefined);
  if (type === 'string' && isFree) {
    if (maxLength !== undefined && name !== 'cursor')
      values.push([text(maxLength), true], [text(maxLength + 1), false]);
    if (minLength !== undefined) values.push([text(minLength), true], ['', false]);
    const most = /\{1,(\d+)\}\$$/.exec(schema.pattern ?? '')?.[1];
    // A name without a limit in the document has no limit.
    if (maxLength === undefined && schema.pattern === undefined && name !== 'cursor')
      values.push([text(3000), true]);
    if (most !== undefined)
      values.push([text(Number(most)), true], [text(Number(most) + 1), false], ['a b', false]);
  }
  if (schema.enum !== undefined) {
    values.push([schema.enum[0], true], [schema.enum.at(-1), true], ['none of these', false]);
  }
  if (schema.format === 'date-time')
    values.push(['2099-01-01T00:00:00Z', true], ['2099-01-01t00:00:00z', false], ['2099', false]);
  if (type === 'boolean') values.push([true, true], ['yes', false]);
  if (type === 'array') {
    const items = (length: number) => Array.from({ length }, (_, at) => itemOf(name, at));
    if (maxItems !== undefined) values.push([items(maxItems), true], [items(maxItems + 1), false]);
    if (minItems !== undefined) values.push([items(minItems), true], [[], false]);
  }
  return values;
}

/** An action that takes this member. Most members of an action depend on others. */
const actionWith = (name: string): object => ({
  action: { tags: 'add_tags', expiresAt: 'set_end', watch: 'set_watch' }[name] ?? 'archive',
  ...(name === 'filter' ? { dryRun: true } : { ids: ['1'] }),
});

const itemOf = (name: string, at: number): unknown =>
  ({
    links: {},
    events: 'link.created',
    rules: RULE,
    variants: { url: `https://example.com/${at}`, weight: 1 },
  })[name] ?? `a${at}`;

/** Makes a schema reject unknown members at its top level. */
const strictly = (schema: z.ZodMiniType): z.ZodMiniType =>
  schema instanceof z.ZodMiniObject ? z.strictObject(schema.shape) : schema;
