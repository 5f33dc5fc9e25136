import type * as z from 'zod/mini';

/**
 * A schema that has a name in the OpenAPI document, and what the document says about it. The texts
 * are not in the schemas, because the Worker contains those.
 */
export type NamedSchema = {
  name: string;
  schema: z.ZodMiniType;
  text: string;
  /** Whether requests or answers contain it. A value that both contain is the same in both. */
  io: 'input' | 'output';
  /** What each member of an object is. */
  members: Readonly<Record<string, string>>;
  /** An answer with all its members. */
  example?: unknown;
};

export type MemberTexts<Schema extends z.ZodMiniObject> = {
  readonly [Name in keyof Schema['shape']]: string;
};

/** Describes an object in answers. An object that is the whole answer needs an example. */
export const describeAnswer = <Schema extends z.ZodMiniObject>(
  name: string,
  schema: Schema,
  text: string,
  members: MemberTexts<NoInfer<Schema>>,
  example?: z.output<NoInfer<Schema>>,
): NamedSchema => ({ name, schema, text, io: 'output', members, example });

/** Describes an object in requests. The example of a request stands at its operation. */
export const describeRequest = <Schema extends z.ZodMiniObject>(
  name: string,
  schema: Schema,
  text: string,
  members: MemberTexts<NoInfer<Schema>>,
): NamedSchema => ({ name, schema, text, io: 'input', members });

/** Describes a value that is not an object. */
export const describeValue = (
  name: string,
  schema: z.ZodMiniType,
  text: string,
  io: NamedSchema['io'] = 'output',
): NamedSchema => ({ name, schema, text, io, members: {} });
