import { BUILT_ORIGIN } from '#contract/pages/paths.ts';
import { createHash } from 'node:crypto';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

export const CLIENT_TYPES = 'cli/api.d.ts';

export const documentText = (): string => JSON.stringify(openApiDocument(BUILT_ORIGIN));

/**
 * Returns the first line of the types. It identifies the OpenAPI document, so a test detects
 * outdated types.
 */
export const clientTypesHead = (): string =>
  `// Made by \`npm run generate -- client\` from the OpenAPI document ${createHash('sha256').update(documentText()).digest('hex')}.\n`;
