import { describe, expect, it } from 'vitest';
import { CLIENT_TYPES, clientTypesHead } from './client-types.ts';
import { readText } from '#scripts/shared/markdown.ts';

describe('the types of the client', () => {
  it('the client types match the OpenAPI document: run `npm run generate -- client`', () => {
    expect(readText(CLIENT_TYPES).startsWith(clientTypesHead())).toBe(true);
  });
});
