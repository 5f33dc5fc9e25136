import { styleText } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { bold, table } from './text.ts';

const { isTTY, columns } = process.stdout;
afterEach(() => void Object.assign(process.stdout, { isTTY, columns }));

it('a terminal cuts long lines, and its bold headings have no control characters', () => {
  Object.assign(process.stdout, { isTTY: true, columns: 6 });
  expect(table([['abcdef'], ['abcdefg'], ['a']])).toEqual(['abcdef', 'abcde…', 'a']);
  expect(bold('a\u001B[2J')).toBe(styleText('bold', 'a'));
});
