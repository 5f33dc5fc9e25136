import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

/** The client without what depends on the document, which takes the place of two comments. */
const TEMPLATE = fileURLToPath(new URL('./python-client.py', import.meta.url));

/** The parts of a JSON Schema that have a form in Python. */
type Schema = {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  required?: string[] | undefined;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  additionalProperties?: boolean | Schema | undefined;
};
const schemaForm: z.ZodMiniType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.optional(z.string()),
    type: z.optional(z.union([z.string(), z.array(z.string())])),
    enum: z.optional(z.array(z.unknown())),
    const: z.optional(z.unknown()),
    required: z.optional(z.array(z.string())),
    properties: z.optional(z.record(z.string(), schemaForm)),
    items: z.optional(schemaForm),
    anyOf: z.optional(z.array(schemaForm)),
    oneOf: z.optional(z.array(schemaForm)),
    additionalProperties: z.optional(z.union([z.boolean(), schemaForm])),
  }),
);
const content = z.record(z.string(), z.object({ schema: schemaForm }));
const operationForm = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.optional(z.string()),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: schemaForm }),
  ),
  requestBody: z.optional(z.object({ content })),
  responses: z.record(z.string(), z.object({ content: z.optional(content) })),
});
const documentForm = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationForm)),
  components: z.object({ schemas: z.record(z.string(), schemaForm) }),
});

const KEYWORDS: ReadonlySet<string> = new Set(['from', 'in', 'is', 'class', 'import', 'global']);
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const snake = (name: string): string => {
  const text = name.replaceAll('-', '_').replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`);
  const lower = text.toLowerCase();
  return KEYWORDS.has(lower) ? `${lower}_` : lower;
};
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const literal = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);

/**
 * Writes the client for Python: one file that needs only the standard library of Python 3.11, with
 * a method for each operation of the OpenAPI document and a type for each object in it.
 */
export function pythonClient(document: unknown): string {
  const { paths, components } = z.parse(documentForm, document);
  const types = new Map<string, string>();
  for (const [name, schema] of Object.entries(components.schemas)) typeOf(schema, name, types);
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      methodOf(method.toUpperCase(), path, operation, types),
    ),
  );
  const definitions = [...types].map(([name, text]) => `${name} = ${text}\n`);
  return readFileSync(TEMPLATE, 'utf8')
    .replace(/^# Types: .*\n/m, () => definitions.join('\n'))
    .replace(/^ *# Methods: .*\n/m, () => methods.join('\n'));
}

/** Returns the Python type of a schema. Objects get a name and a place in `types`. */
function typeOf(schema: Schema, name: string, types: Map<string, string>): string {
  const { $ref, type, properties, items, additionalProperties } = schema;
  if ($ref !== undefined) return JSON.stringify($ref.split('/').at(-1));
  const parts =
    schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (parts !== undefined) {
    const names = parts.map((part, at) => typeOf(part, `${name}${at === 0 ? '' : at + 1}`, types));
    return `Union[${[...new Set(names)].join(', ')}]`;
  }
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum?.join() === 'true,false') return 'bool';
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (type === 'array') return `list[${items === undefined ? 'Any' : typeOf(items, name, types)}]`;
  if (properties !== undefined) return objectType(schema, name, types);
  if (typeof additionalProperties === 'object')
    return `dict[str, ${typeOf(additionalProperties, name, types)}]`;
  return (typeof type === 'string' && PRIMITIVES[type]) || 'Any';
}

/** A `TypedDict` in its functional form, because names such as `from` are keywords. */
function objectType(schema: Schema, name: string, types: Map<string, string>): string {
  const members = Object.entries(schema.properties ?? {}).map(([member, value]) => {
    const type = typeOf(value, name + pascal(member), types);
    const isRequired = schema.required?.includes(member) === true;
    return `    ${JSON.stringify(member)}: ${isRequired ? type : `NotRequired[${type}]`},\n`;
  });
  types.set(name, `TypedDict(${JSON.stringify(name)}, {\n${members.join('')}})`);
  return JSON.stringify(name);
}

function methodOf(
  method: string,
  path: string,
  operation: z.infer<typeof operationForm>,
  types: Map<string, string>,
): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const [media, answer] = Object.entries(success?.content ?? {})[0] ?? [];
  const name = pascal(operationId);
  const isJson = media === 'application/json';
  const result = isJson
    ? typeOf(answer?.schema ?? {}, `${name}Result`, types)
    : media === undefined
      ? 'None'
      : 'bytes';
  const optional = [...of('query'), ...of('header')].map((parameter) => {
    const type = typeOf(parameter.schema, name + pascal(snake(parameter.name)), types);
    return `${snake(parameter.name)}: Optional[${type}] = None`;
  });
  const inputs = [
    'self',
    ...of('path').map((parameter) => `${snake(parameter.name)}: str`),
    ...(body === undefined ? [] : [`body: ${typeOf(body, `${name}Body`, types)}`]),
    ...(optional.length === 0 ? [] : ['*', ...optional]),
  ];
  const route = `f${JSON.stringify(path.replaceAll(/\{(\w+)\}/g, (_, part: string) => `{_quote(${snake(part)})}`))}`;
  const mapOf = (place: string) =>
    `{${of(place)
      .map((parameter) => `${JSON.stringify(parameter.name)}: ${snake(parameter.name)}`)
      .join(', ')}}`;
  const call = `self._send(${JSON.stringify(method)}, ${route}, ${mapOf('query')}, ${mapOf('header')}, ${body === undefined ? 'None' : 'body'})`;
  return [
    `    def ${snake(operationId)}(${inputs.join(', ')}) -> ${result}:`,
    `        ${JSON.stringify([summary, description].join('\n\n')).replaceAll(/^"|"$/g, '"""')}`,
    isJson
      ? `        return cast(Any, json.loads(${call}))`
      : media === undefined
        ? `        ${call}`
        : `        return ${call}`,
    '',
  ].join('\n');
}
