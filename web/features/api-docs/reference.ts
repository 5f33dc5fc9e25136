/** What the API's page shows of the OpenAPI document. web/api-reference.ts makes it. */
export type ReferenceField = {
  /** With the names around it: `quota.limit`, `data[]`. */
  name: string;
  type: string;
  isRequired: boolean;
  text: string;
};

export type OperationText = {
  id: string;
  method: string;
  /** Below the address of the server: `/links/{id}`. */
  path: string;
  summary: string;
  text: string;
  query: readonly ReferenceField[];
  /** Example of the query, with its question mark; '' without one. */
  search: string;
  body: readonly ReferenceField[];
  example: unknown;
  answers: readonly {
    status: string;
    text: string;
    type: string;
    fields: readonly ReferenceField[];
  }[];
  errors: readonly { code: string; status: string }[];
};

export type Reference = {
  groups: readonly { name: string; text: string; operations: readonly OperationText[] }[];
  /** The errors of every operation. Those of one operation do not repeat them. */
  errors: OperationText['errors'];
  /** The shapes that operations refer to by name. */
  shapes: readonly { name: string; fields: readonly ReferenceField[] }[];
  tools: readonly { name: string; text: string; isReadOnly: boolean }[];
};
