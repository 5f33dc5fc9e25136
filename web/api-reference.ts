import { ERROR_CODES } from '#contract/errors.ts';
import { formatNumber } from '#contract/language.ts';
import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { V1_CODES } from '#contract/v1/v1-problem.ts';
import type { Plugin } from 'vite';

import type { ReferenceField, OperationText, Reference } from '#web/features/api-docs/reference.ts';
import { mcpTools } from '#worker/api/v1/mcp-document.ts';
import { OPERATIONS } from '#worker/api/v1/operations.ts';
import { SHAPES } from '#worker/api/v1/shapes/shapes.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';
import { PROBLEMS } from '#worker/messages/public-api.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  default?: string | number;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};
type Schemas = Record<string, Schema>;
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: string | number;
};
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Schemas };
};

/** The names of the schemas of requests. */
const REQUESTS: ReadonlySet<string> = new Set(
  SHAPES.filter(({ io }) => io === 'input').map(({ name }) => name),
);

const MODULE = 'virtual:api-reference';

/** Provides the API page with its reference, generated from the OpenAPI document. */
export function apiReference(): Plugin {
  return {
    name: 'hop:api-reference',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load: (id) =>
      id === `\0${MODULE}` ? `export const reference = ${JSON.stringify(makeReference())};` : null,
  };
}

export function makeReference(): Reference {
  const document: Document = JSON.parse(JSON.stringify(openApiDocument(BUILT_ORIGIN)));
  const { schemas } = document.components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      group: operation.tags[0],
      text: toText(method, path, operation, schemas),
    })),
  );
  const errors = (operations[0]?.text.errors ?? []).filter(({ code }) =>
    operations.every(({ text }) => text.errors.some((error) => error.code === code)),
  );
  const common = new Set(errors.map(({ code }) => code));
  return {
    errors,
    problems: V1_CODES.map((code) => {
      const { title, advice } = PROBLEMS[code];
      return { code, status: ERROR_CODES[code], title, advice };
    }),
    groups: document.tags.map(({ name, description }) => ({
      name,
      text: description,
      operations: operations
        .filter(({ group }) => group === name)
        .map(({ text }) => withoutErrors(text, common)),
    })),
    shapes: Object.entries(schemas).map(([name, schema]) => ({
      name,
      text: schema.description ?? '',
      type: typeOf(schema),
      fields: fieldsOf(schema, REQUESTS.has(name)),
    })),
    events: Object.entries(document.webhooks).map(([type, { post }]) => {
      const body = post.requestBody?.content['application/json'];
      return {
        type,
        text: post.description,
        shape: typeOf(body?.schema ?? {}),
        example: body?.example,
      };
    }),
    tools: mcpTools().map(({ name, description, annotations }) => ({
      name,
      text: description,
      isReadOnly: annotations.readOnlyHint,
    })),
  };
}

const withoutErrors = (text: OperationText, codes: ReadonlySet<string>): OperationText => ({
  ...text,
  errors: text.errors.filter(({ code }) => !codes.has(code)),
});

function toText(
  method: string,
  path: string,
  operation: Operation,
  schemas: Schemas,
): OperationText {
  const route = `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const body = operation.requestBody?.content['application/json'];
  const answers = Object.entries(operation.responses);
  const successes = answers.filter(([status]) => Number(status) < 400);
  const [type = ''] = Object.keys(successes[0]?.[1].content ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    text: operation.description,
    parameters: operation.parameters.filter((one) => one.in !== 'query').map(toField),
    query: operation.parameters.filter((one) => one.in === 'query').map(toField),
    body: body === undefined ? [] : fieldsOf(schemas[typeOf(body.schema)] ?? body.schema, true),
    request: {
      method: method.toUpperCase(),
      path: fill(path, operation.parameters) + searchOf(OPERATIONS[route]?.query?.example),
      ...(body === undefined ? {} : { body: body.example }),
      reads: type === '' ? 'nothing' : type === 'application/json' ? 'json' : 'file',
    },
    answers: successes.map(([status, { description, content = {} }]) => {
      const [[media, answer] = ['', undefined]] = Object.entries(content);
      const isJson = media === 'application/json' && answer !== undefined;
      return {
        status,
        text: description,
        type: isJson ? typeOf(answer.schema) : media,
        example: isJson ? answer.example : undefined,
      };
    }),
    errors: answers
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => ({ code, status })),
      ),
  };
}

const toField = ({ name, required, schema, description = '' }: Parameter): ReferenceField => ({
  name,
  type: typeOf(schema),
  note: required ? 'required' : '',
  text: description,
});

/** Puts examples in place of the parameters of a path. */
const fill = (path: string, parameters: readonly Parameter[]): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example),
  );

const searchOf = (example: Record<string, string> = {}): string => {
  const search = new URLSearchParams(example).toString();
  return search === '' ? '' : `?${search}`;
};

/** Returns the members of an object. Objects inside it have a name, where theirs are listed. */
const fieldsOf = ({ properties = {}, required = [] }: Schema, isRequest: boolean) =>
  Object.entries(properties).map(([name, member]): ReferenceField => ({
    name,
    type: typeOf(member),
    // Most members of requests are optional, and most of answers are not.
    note: required.includes(name) === isRequest ? (isRequest ? 'required' : 'optional') : '',
    text: member.description ?? '',
  }));

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return schema.default === undefined ? name : `${name}, default ${schema.default}`;
  }
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const limits =
    rangeOf(schema.minimum ?? schema.minItems, schema.maximum ?? schema.maxItems) +
    (schema.maxLength === undefined
      ? ''
      : `, at most ${formatNumber(schema.maxLength)} characters`) +
    (isReadable(schema) ? `, ${schema.pattern}` : '');
  const preset =
    schema.default === undefined || schema.default === '' ? '' : `, default ${schema.default}`;
  if (schema.enum !== undefined) return schema.enum.join(' | ') + preset;
  const values = schema.additionalProperties;
  if (typeof values === 'object') return `names with ${typeOf(values)}`;
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]${limits}`;
  return (
    (FORMATS[schema.format ?? ''] ?? [schema.type ?? 'any'].flat().join(' or ')) + limits + preset
  );
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date', uri: 'URL' };

/** Patterns of formats and long ones tell a reader nothing. */
const isReadable = ({ format, pattern = '' }: Schema): boolean =>
  format === undefined && pattern !== '' && pattern.length < 40;

/** The limits of JavaScript integers are not worth showing. */
function rangeOf(min: number | undefined, max: number | undefined): string {
  if (max === undefined || Math.abs(max) === Number.MAX_SAFE_INTEGER) return '';
  return min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
}
