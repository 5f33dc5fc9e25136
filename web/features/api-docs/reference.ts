import type { SampleRequest } from './samples.ts';

/** The data of the API page. web/api-reference.ts generates it from the OpenAPI document. */
export type ReferenceField = {
  name: string;
  type: string;
  note: 'required' | 'optional' | '';
  text: string;
};

export type OperationText = {
  id: string;
  method: string;
  /** Relative to the server's address: `/links/{id}`. */
  path: string;
  summary: string;
  text: string;
  /** Parameters of the path and of headers, and those of the query. */
  parameters: readonly ReferenceField[];
  query: readonly ReferenceField[];
  body: readonly ReferenceField[];
  request: SampleRequest;
  answers: readonly { status: string; text: string; type: string; example?: unknown }[];
  errors: readonly { code: string; status: string }[];
};

export type Reference = {
  groups: readonly { name: string; text: string; operations: readonly OperationText[] }[];
  /** The errors that every operation has. They are not repeated per operation. */
  errors: OperationText['errors'];
  /** Every error, with its meaning and what to do. */
  problems: readonly { code: string; status: number; title: string; advice: string }[];
  shapes: readonly {
    name: string;
    text: string;
    type: string;
    fields: readonly ReferenceField[];
  }[];
  events: readonly { type: string; text: string; shape: string; example: unknown }[];
  tools: readonly { name: string; text: string; isReadOnly: boolean }[];
};
