import * as fc from 'fast-check';

export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
};
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema };
type Response = { content?: Record<string, { schema: Schema }> };
export type Operation = {
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, Response>;
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export type Target = { method: string; path: string; operation: Operation };
export type FuzzRequest = {
  target: Target;
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | null;
};

/** A placeholder in a path for a value of an existing link. */
export const KNOWN = '\0known';

const JUNK_TEXTS = [
  '',
  ' ',
  '..',
  '%',
  '%00',
  'null',
  '-1',
  '9'.repeat(400),
  '2026-02-30T25:00:00Z',
  '\u{1f600}',
  'a\u0000b',
  '\ud800',
];
const junkText = fc.oneof(
  fc.constantFrom(...JUNK_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 30 }),
);
const junk = fc.oneof(
  junkText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 1e308, 0.5, [], {}),
);
/** Mostly undefined, which JSON leaves out. */
const rarely = fc.option(junk, { nil: undefined, freq: 1 });
const URLS = [
  'https://example.com/',
  'example.com/a?b=c#d',
  'http://[2606:2800:220:1::1]/',
  'https://xn--nxasmq6b.example/',
  'http://127.0.0.1/',
];
const TIMES = ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00.123+05:30', '2001-01-01T00:00:00Z'];

/** A name that no request knows. */
export const UNKNOWN_NAME = 'unknownName';

/** Generates values that are mostly valid for a schema. */
function valid(schema: Schema, document: Document, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined)
    return valid(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((part) => valid(part, document, name)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.format === 'date-time') return fc.constantFrom(...TIMES);
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries([
          ...Object.entries(schema.properties ?? {}).map(([member, part]) => [
            member,
            fc.oneof({ weight: 12, arbitrary: valid(part, document, member) }, junk),
          ]),
          ...(schema.additionalProperties === false ? [[UNKNOWN_NAME, rarely]] : []),
        ]),
        { requiredKeys: [] },
      );
    case 'array':
      return fc.array(valid(schema.items ?? {}, document), { maxLength: 4 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 10_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return name === 'url'
        ? fc.oneof(fc.constantFrom(...URLS), fc.webUrl())
        : fc.oneof(fc.stringMatching(/^[\w-]{1,20}$/), junkText);
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Generates requests to an operation: mostly valid, often with invalid parts. */
export function requestsTo(target: Target, document: Document): fc.Arbitrary<FuzzRequest> {
  const { parameters, requestBody } = target.operation;
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const path = Object.fromEntries(
    of('path').map(({ name }) => [
      name,
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(KNOWN) },
        fc.stringMatching(/^\d{1,18}$/),
        junkText,
      ),
    ]),
  );
  const query = of('query').map(({ name, schema }) =>
    fc.tuple(
      fc.constantFrom(name, name, name, UNKNOWN_NAME),
      fc.oneof({ weight: 4, arbitrary: valid(schema, document) }, junkText).map(asText),
    ),
  );
  const body =
    requestBody === undefined
      ? fc.constant(null)
      : bodies(requestBody.content['application/json'].schema, document);
  return fc.record({
    target: fc.constant(target),
    path: fc.record(path),
    query:
      query.length === 0
        ? fc.constant([])
        : fc.subarray(query).chain((parts) => fc.tuple(...parts)),
    headers: fc.record(
      {
        'Idempotency-Key': fc.constantFrom('a', 'b', 'c', '"quoted"', 'x'.repeat(300), 'a b'),
        'Content-Type': fc.constantFrom(
          'application/json',
          'application/json; charset=utf-8',
          'text/plain',
          'application/xml',
        ),
      },
      { requiredKeys: [] },
    ),
    body,
  });
}

const bodies = (schema: Schema, document: Document): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: valid(schema, document).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: junkText },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{"__proto__":{"url":1}}',
        '[[[[]]]]',
        '{"url":"https://example.com","url":7}',
        'x'.repeat(20_000),
      ),
    },
  );

/** Removes lone surrogates, which cannot be sent. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Cs}/gu, '\uFFFD');

/** True for a request with a name that the API does not know, which it has to reject. */
export function hasUnknownName({ query, body }: FuzzRequest): boolean {
  if (query.some(([name]) => name === UNKNOWN_NAME)) return true;
  try {
    return body !== null && Object.hasOwn(Object(JSON.parse(body)), UNKNOWN_NAME);
  } catch {
    return false;
  }
}
