import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, tableRows } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const THREATS = 74;
const ATTACKS = 24;
const TAG = /\[([TA]\d+)\]/g;

const rows = tableRows(readText('SECURITY.md')).map((cells) => ({
  tag: cells[0] ?? '',
  rule: cells[2] ?? '',
  cells: cells.length,
}));
const testFiles = globSync('{worker,web,scripts,e2e}/**/*.{test,e2e}.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['scripts/checks/security-table.test.ts'],
});

/** Returns the tags in the test titles of a file. Tags in comments do not count. */
const tagsOf = (file: string): string[] =>
  [...readText(file).matchAll(/['"`]((?:\[[TA]\d+\] ?)+)/g)].flatMap(([, tags = '']) =>
    [...tags.matchAll(TAG)].map(([, tag = '']) => tag),
  );

const tags = new Set(testFiles.flatMap(tagsOf));

describe('SECURITY.md', () => {
  it('SECURITY.md has a row for every threat and attack, once, in order', () => {
    const numbered = (letter: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
    expect(rows.map(({ tag }) => tag)).toEqual([
      ...numbered('T', THREATS),
      ...numbered('A', ATTACKS),
    ]);
    expect(rows.filter(({ cells }) => cells !== 4)).toEqual([]);
  });

  it('every row of SECURITY.md has a test', () => {
    expect(rows.map(({ tag }) => tag).filter((tag) => !tags.has(tag))).toEqual([]);
  });

  it('every tag of a test has a row in SECURITY.md', () => {
    expect([...tags].filter((tag) => !rows.some((row) => row.tag === tag))).toEqual([]);
  });

  it('SECURITY.md names files that exist', () => {
    const files = rows.flatMap(({ rule }) =>
      [...rule.matchAll(/`([\w./-]+\.(?:ts|tsx|toml))`/g)].map(([, file = '']) => file),
    );
    expect(files.length).toBeGreaterThan(70);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
