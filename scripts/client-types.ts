import { createHash } from 'node:crypto';
import { openApiDocument } from '#worker/api/v1/openapi.ts';
import { OPENAPI_ORIGIN } from '#contract/v1.ts';

/** The types of the client, generated from the OpenAPI document. */
export const CLIENT_TYPES = 'cli/api.d.ts';

export const documentText = (): string => JSON.stringify(openApiDocument(OPENAPI_ORIGIN));

/**
 * The first line of the types. It names the document that they were made from, so that a test sees
 * when they are out of date.
 */
export const clientTypesHead = (): string =>
  `// Made by \`npm run generate -- client\` from the OpenAPI document ${createHash('sha256').update(documentText()).digest('hex')}.\n`;
