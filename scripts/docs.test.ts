import { describe, expect, it } from 'vitest';
import { ACCESS } from '#worker/api/access.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { PAGES, ROOT_FILES } from '#contract/paths.ts';
import { readText, sectionsOf } from './markdown.ts';

const product = readText('docs/product.md');
const missing = (names: readonly string[], text: string): string[] => names.filter((name) => !text.includes(`\`${name}\``));

describe('docs/product.md', () => {
  it('names every page', () => {
    const paths = PAGES.map((path) => path.replace(/:(\w+)/, '{$1}'));
    expect(missing(paths, product)).toEqual([]);
  });

  it('names every route of the API', () => {
    expect(missing(Object.keys(ACCESS), product)).toEqual([]);
  });

  it('names every error code', () => {
    expect(missing(Object.keys(ERROR_CODES), product)).toEqual([]);
  });

  it('names every file at the root but icons and index.html', () => {
    const isIcon = (file: string): boolean => /\.(ico|svg|png|html)$/.test(file);
    expect(missing(ROOT_FILES.filter((file) => !isIcon(file)).map((file) => `/${file}`), product)).toEqual([]);
  });
});

describe('docs/decisions.md', () => {
  it('numbers its decisions from D1 without a gap', () => {
    const numbers = sectionsOf(readText('docs/decisions.md')).filter((section) => section.level === 2);
    expect(numbers.map((section) => section.title)).toEqual(numbers.map((_, i) => `D${i + 1}`));
  });
});
