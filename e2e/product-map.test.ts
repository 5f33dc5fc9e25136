import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText, sectionsOf, tableRows } from '#scripts/shared/markdown.ts';
import { SHOWN_BY } from './product-map.ts';

const sections = sectionsOf(readText('docs/product.md'));
const textOf = (anchor: string): string =>
  sections.find((section) => section.anchor === anchor)?.text ?? '';
const testFiles = globSync('e2e/*.e2e.ts', { cwd: new URL('..', import.meta.url).pathname }).map(
  (path) => path.slice('e2e/'.length),
);
const messages = tableRows(textOf('fixed-messages')).map(([message = '', , file = '']) => [
  message.replaceAll('`', ''),
  file.replaceAll('`', ''),
]);

describe('browser tests and docs/product.md', () => {
  it('maps sections that exist to test files that exist', () => {
    expect(
      Object.keys(SHOWN_BY).filter(
        (anchor) => !sections.some((section) => section.anchor === anchor),
      ),
    ).toEqual([]);
    expect(
      Object.values(SHOWN_BY)
        .flat()
        .filter((file) => !testFiles.includes(file)),
    ).toEqual([]);
  });

  it('covers every page section', () => {
    const from = sections.findIndex((section) => section.anchor === 'pages');
    const to = sections.findIndex((section) => section.anchor === 'other-addresses');
    const pages = sections.slice(from + 1, to).map((section) => section.anchor);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((anchor) => SHOWN_BY[anchor] === undefined)).toEqual([]);
  });

  it('uses every browser test', () => {
    const used = new Set<string>(Object.values(SHOWN_BY).flat());
    expect(testFiles.filter((file) => !used.has(file))).toEqual([]);
  });

  it('docs/product.md has a table of fixed messages', () => {
    expect(messages.length).toBeGreaterThan(15);
  });

  it.each(messages)('shows "%s" in %s', (message = '', file = '') => {
    // The message may be in a string or in a regular expression.
    expect(readText(`e2e/${file}`).replaceAll('\\', '')).toContain(message);
  });
});
