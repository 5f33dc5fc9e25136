import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const LENGTH_MAX = 80;
const AUXILIARY = /^(?:is|are|was|were|has|have|does|do)\b/i;
/** The text that starts the arguments of `it(`, `test(` or a call of the result of `.each`. */
const TITLE = /(?:\b(?:it|test)(?:\.\w+)*|[\])`])\(\s*(?:'([^'\n]+)'|`([^`\n]+)`),\s/g;

/** The titles of a file without their tags and without what a template inserts. */
const titlesOf = (file: string): string[] =>
  [...readText(file).matchAll(TITLE)].map(([, plain = '', template = '']) =>
    `${plain}${template}`
      .replaceAll(/\$\{[^}]*\}/g, '')
      .replace(/^(?:\[[TA]\d+\]\s*)+/, '')
      .trim(),
  );

describe('titles of tests', () => {
  const titles = globSync('{worker,web,scripts,bench,cli,e2e}/**/*.{test,e2e}.{ts,tsx}', {
    cwd: ROOT,
  }).flatMap(titlesOf);

  it('the check finds the titles', () => {
    expect(titles.length).toBeGreaterThan(2_000);
  });

  it(`no title is longer than ${LENGTH_MAX} characters`, () => {
    expect(titles.filter(({ length }) => length > LENGTH_MAX)).toEqual([]);
  });

  it('every title names its subject before an auxiliary verb', () => {
    expect(titles.filter((title) => AUXILIARY.test(title))).toEqual([]);
  });
});
