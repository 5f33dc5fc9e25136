import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { documentText } from './client-types.ts';

describe('the OpenAPI document', () => {
  it('the OpenAPI document passes the linter', async () => {
    // `{id}` is a number, so `/links/by-code/{code}` and `/links/{id}/analytics` never match the
    // same path.
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'no-ambiguous-paths': 'off' },
    });
    const problems = await lintFromString({
      source: documentText(),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(
        ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
      ),
    ).toEqual([]);
  });
});
