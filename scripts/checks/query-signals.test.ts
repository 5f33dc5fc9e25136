import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

/** The text of each `queryFn`: its line, and those below it that are indented further. */
function queriesIn(source: string): string[] {
  const lines = source.split('\n');
  return lines.flatMap((line, at) => {
    if (!line.includes('queryFn:')) return [];
    const indent = line.search(/\S/);
    const end = lines.findIndex((other, i) => i > at && other.search(/\S/) <= indent);
    return [lines.slice(at, end).join('\n')];
  });
}

describe('queries', () => {
  it('a query of the API ends its request when nobody waits for the answer', () => {
    const queries = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.*'] })
      .flatMap((file) => queriesIn(readText(file)).map((text) => `${file}: ${text}`))
      .filter((text) => /\bapi\w*[<(]/.test(text));
    expect(queries.length).toBeGreaterThan(30);
    // Once as a parameter, and once in the request.
    expect(queries.filter((text) => (text.match(/\bsignal\b/g) ?? []).length < 2)).toEqual([]);
  });
});
