import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './place.ts';

const THREATS = 40;
const WAYS_IN = 17;
const TEST_FILE = /\.(test|e2e)\.tsx?$/;

/** The rows of SECURITY.md's two tables: a number ('7', 'A7'), the threat, the rule, the checks, what differs or remains. */
const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| A?\d+ \|/.test(line))
  .map((line) => {
    const cells = line.split('|').slice(1, -1);
    return { number: (cells[0] ?? '').trim(), rule: cells[2] ?? '', checks: cells[3] ?? '', cells: cells.length };
  });

const quoted = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, inner = '']) => inner);

/** A test's title stands in quotes; a group in a table of cases begins its line. */
const names = (source: string, title: string): boolean =>
  [`'${title}`, `"${title}`, `\`${title}`, `\n  ${title}`].some((spelling) => source.includes(spelling));

test('every threat has a row, once, in order', () => {
  const numbers = Array.from({ length: THREATS }, (_, at) => String(at + 1));
  const tags = Array.from({ length: WAYS_IN }, (_, at) => `A${at + 1}`);
  expect(rows.map(({ number }) => number)).toEqual([...numbers, ...tags]);
  expect(rows.filter(({ cells }) => cells !== 5)).toEqual([]);
});

test.each(rows)('row $number: its tests are there under their names', ({ checks }) => {
  let file = '';
  let source = '';
  let titles = 0;
  for (const word of quoted(checks)) {
    if (TEST_FILE.test(word)) {
      expect(existsSync(join(ROOT, word)), word).toBe(true);
      file = word;
      source = readFileSync(join(ROOT, word), 'utf8');
    } else {
      expect(names(source, word), `${file} has no test named: ${word}`).toBe(true);
      titles += 1;
    }
  }
  expect(titles).toBeGreaterThan(0);
});

test.each(rows)('row $number: its modules are there', ({ rule }) => {
  const modules = quoted(rule).filter((word) => /^[\w./-]+\.(ts|tsx|toml)$/.test(word));
  for (const module of modules) expect(existsSync(join(ROOT, module)), module).toBe(true);
});
