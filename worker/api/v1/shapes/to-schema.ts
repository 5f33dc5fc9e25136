import * as z from 'zod/mini';
import type { NamedSchema } from './shape.ts';
import { SHAPES } from './shapes.ts';

export type Json = Record<string, unknown>;

const BY_SCHEMA: ReadonlyMap<unknown, NamedSchema> = new Map(
  SHAPES.map((one) => [one.schema, one]),
);

/** The shape of a schema; undefined for one that has no name. */
export const shapeOf = (schema: z.ZodMiniType): NamedSchema | undefined => BY_SCHEMA.get(schema);

export const refTo = ({ name }: Pick<NamedSchema, 'name'>): Json => ({
  $ref: `#/components/schemas/${name}`,
});

const describe = ({ schema, io, text, members }: NamedSchema): Json => ({
  description: text,
  ...withTexts(toSchema(schema, io), members),
});

/** The `schemas` of the document's components. */
export const namedSchemas = (): Json =>
  Object.fromEntries(SHAPES.map((shape) => [shape.name, describe(shape)]));

/** The schema of a body, with its descriptions. */
export function inputOf(schema: z.ZodMiniType): Json {
  const shape = shapeOf(schema);
  return shape === undefined ? toSchema(schema, 'input') : describe(shape);
}

/** The parameters of a query, by name. */
export const queryMembers = (
  schema: z.ZodMiniType,
  texts: NamedSchema['members'],
): Record<string, Json> => Object(withTexts(toSchema(schema, 'output', true), texts)['properties']);

function withTexts(schema: Json, texts: NamedSchema['members']): Json {
  if (schema['properties'] === undefined) return schema;
  const properties = Object.entries(Object(schema['properties'])).map(
    ([name, member]) => [name, { ...Object(member), description: texts[name] }] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Replaces references by what they name, for readers of a single schema. */
export function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest }: Json = { ...value };
  const members = Object.entries(rest).map(([name, member]) => [name, inlined(member)] as const);
  const shape = SHAPES.find((one) => refTo(one)['$ref'] === $ref);
  const named = shape === undefined ? {} : inlined(describe(shape));
  return { ...Object(named), ...Object.fromEntries(members) };
}

/** Converts a schema. Schemas inside it that have a name become references. */
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
      const named = zodSchema === root ? undefined : BY_SCHEMA.get(zodSchema);
      if (named === undefined) return;
      for (const member of Object.keys(jsonSchema)) delete jsonSchema[member];
      Object.assign(jsonSchema, refTo(named));
    },
  });
  return rest;
}
