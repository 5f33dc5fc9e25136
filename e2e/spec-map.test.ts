import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES } from '#contract/paths.ts';
import { ROUTES, TEXTS } from './spec-map.ts';

/** The source of the one test that `shown` names, from its title to the next test's. Throws where there is none, or more. */
function sourceOf(shown: string): string {
  const [file = '', title = ''] = shown.split(' › ');
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  const tests = source.split(/^\s*test(?=\()/m).slice(1);
  const found = tests.filter((body) => body.slice(0, 260).includes(title));
  expect(found, `${shown}: one test of this name`).toHaveLength(1);
  return found[0] ?? '';
}

test('every route of the specification is shown by tests that exist', () => {
  expect(Object.keys(ROUTES).toSorted()).toEqual([...PAGES].toSorted());
  for (const shown of Object.values(ROUTES).flat()) sourceOf(shown);
});

test.each(TEXTS)('"%s" is seen in %s', (text, shown) => {
  // As a string or inside a regular expression.
  expect(sourceOf(shown).replaceAll('\\', '')).toContain(text);
});
