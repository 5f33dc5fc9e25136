import type { Plugin } from 'vite';
import { OPENAPI_ORIGIN } from '#contract/v1.ts';
import type { ReferenceField, OperationText, Reference } from '#web/features/api-docs/reference.ts';
import { mcpTools } from '#worker/api/v1/mcp-document.ts';
import { OPERATIONS } from '#worker/api/v1/operations.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  default?: string | number;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
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
  components: { schemas: Schemas };
};

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
  const document: Document = JSON.parse(JSON.stringify(openApiDocument(OPENAPI_ORIGIN)));
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
    groups: document.tags.map(({ name, description }) => ({
      name,
      text: description,
      operations: operations
        .filter(({ group }) => group === name)
        .map(({ text }) => withoutErrors(text, common)),
    })),
    shapes: Object.entries(schemas).map(([name, schema]) => ({
      name,
      fields: fieldsOf(schema),
    })),
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
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const route = `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const search = new URLSearchParams(OPERATIONS[route]?.query?.example);
  const body = operation.requestBody?.content['application/json'];
  const answers = Object.entries(operation.responses);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    text: operation.description,
    query: query.map(({ name, required, schema, description }) => ({
      name,
      type: typeOf(schema),
      isRequired: required,
      text: description ?? schema.description ?? '',
    })),
    search: search.size === 0 ? '' : `?${search.toString()}`,
    body:
      body === undefined
        ? []
        : fieldsOf(schemas[body.schema.$ref?.split('/').at(-1) ?? ''] ?? body.schema),
    example: body?.example,
    answers: answers
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content = {} }]) => {
        const [type, answer] = Object.entries(content)[0] ?? [];
        const isJson = type === 'application/json' && answer !== undefined;
        return {
          status,
          text: description,
          type: isJson ? typeOf(answer.schema) : (type ?? ''),
          fields: isJson ? fieldsOf(answer.schema) : [],
        };
      }),
    errors: answers
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => ({ code, status })),
      ),
  };
}

/**
 * Returns the members of a schema, including nested ones. A shape with a name is listed under that
 * name.
 */
function fieldsOf(schema: Schema, prefix = ''): ReferenceField[] {
  if (schema.type === 'array')
    return schema.items === undefined ? [] : fieldsOf(schema.items, `${prefix}[]`);
  const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (variants.length > 0) return variants.flatMap((variant) => fieldsOf(variant, prefix));
  const inside = prefix === '' ? '' : `${prefix}.`;
  const values = schema.additionalProperties;
  const fields: ReferenceField[] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const text =
      member.description ??
      member.anyOf?.find(({ description }) => description !== undefined)?.description ??
      '';
    fields.push({
      name: inside + name,
      type: typeOf(member),
      isRequired: schema.required?.includes(name) === true,
      text,
    });
    fields.push(...fieldsOf(member, inside + name));
  }
  return values === undefined ? fields : [...fields, ...fieldsOf(values, `${inside}*`)];
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const limits = rangeOf(schema.minimum ?? schema.minItems, schema.maximum ?? schema.maxItems);
  const preset =
    schema.default === undefined || schema.default === '' ? '' : `, default ${schema.default}`;
  if (schema.enum !== undefined) return schema.enum.join(' | ') + preset;
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]${limits}`;
  return (FORMATS[schema.format ?? ''] ?? schema.type ?? 'any') + limits + preset;
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date', uri: 'URL' };

/** The limits of JavaScript integers are not worth showing. */
function rangeOf(min: number | undefined, max: number | undefined): string {
  if (max === undefined || Math.abs(max) === Number.MAX_SAFE_INTEGER) return '';
  return min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
}
