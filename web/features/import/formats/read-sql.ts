import { ImportError } from './import-row.ts';
import type { ParsedFile } from './read-table.ts';

/** The columns of the table of YOURLS, for a dump whose statements do not name them. */
const YOURLS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];
const INSERT = /insert\s+into\s+[`"]?([\w.$-]+)[`"]?\s*(?:\(([^)]*)\)\s*)?values\s*/gi;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0' };

export const isSql = (start: string): boolean =>
  /^(?:--|\/\*|insert\s+into\s|create\s+table\s|set\s)/i.test(start);

/**
 * Reads the table of links in a dump of YOURLS, as mysqldump and phpMyAdmin write it. Other tables
 * of the dump are left out.
 */
export function readSql(text: string): ParsedFile {
  const lines: { line: number; cellOf: (column: number) => unknown }[] = [];
  let names: readonly string[] = [];
  for (const { 0: head, 1: table = '', 2: columns, index } of text.matchAll(INSERT)) {
    if (!/url$/i.test(table)) continue;
    const given = columns?.split(',').map((name) => name.replaceAll(/[`"\s]/g, '')) ?? YOURLS;
    if (!given.includes('keyword') || !given.includes('url')) continue;
    names = given;
    for (const cells of tuplesAt(text, index + head.length))
      lines.push({ line: lines.length + 1, cellOf: (column) => cells[column] });
  }
  if (lines.length === 0)
    throw new ImportError(
      'This is a copy of a database in SQL, and it has no links of YOURLS. Export the table with the links as CSV instead.',
    );
  return { names, lines };
}

/** Returns the rows `(…), (…);` from an offset on. NULL is undefined. */
function tuplesAt(text: string, start: number): (string | undefined)[][] {
  const rows: (string | undefined)[][] = [];
  const token = /\s*(?:([(),;])|'((?:[^'\\]|\\[\s\S]|'')*)'|([^\s(),;']+))/y;
  token.lastIndex = start;
  let row: (string | undefined)[] = [];
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, sign, quoted, bare] = match;
    if (sign === ';') break;
    if (sign === '(') row = [];
    else if (sign === ')') rows.push(row);
    else if (quoted !== undefined)
      row.push(
        quoted.replaceAll(/\\([\s\S])|''/g, (_, char?: string) =>
          char === undefined ? "'" : (ESCAPES[char] ?? char),
        ),
      );
    else if (bare !== undefined) row.push(/^null$/i.test(bare) ? undefined : bare);
  }
  return rows;
}
