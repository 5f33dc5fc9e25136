import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { ROOT } from '#scripts/shared/place.ts';

const files = globSync('worker/**/*.ts', {
  cwd: ROOT,
  exclude: ['worker/**/*.test.ts', 'worker/testing/**', 'worker/env.d.ts'],
});

/** Returns 'file:line: text' for every line that matches `pattern` and is not a comment. */
const linesWith = (pattern: RegExp): string[] =>
  files.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, i) =>
        pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line)
          ? [`${file}:${i + 1}: ${line.trim().slice(0, 120)}`]
          : [],
      ),
  );

describe('SQL of the Worker', () => {
  it('the check finds the SQL statements of the Worker', () => {
    expect(linesWith(/\bsql`/).length).toBeGreaterThan(300);
  });

  it('SQL depends on a state, never on what the statement before has changed', () => {
    expect(linesWith(/\bchanges\(\)|\blast_insert_rowid\(\)/)).toEqual([]);
  });

  it('only files that Drizzle cannot serve prepare SQL by hand', () => {
    const mayPrepare = /^worker\/(?:redirect\/|backup\/|db\/|site\/(?:preview|card-page)\.ts)/;
    expect(
      linesWith(/\.prepare\(|^\s*\.?prepare\(/).filter((line) => !mayPrepare.test(line)),
    ).toEqual([]);
  });

  it('every `sql` tag is in lower case', () => {
    const isOlder =
      /^worker\/(?:redirect\/|backup\/|site\/(?:preview|card-page)\.ts|clicks\/fold\/tables\.ts)/;
    const keyword =
      /\b(?:SELECT|INSERT|UPDATE|DELETE FROM|WHERE|VALUES|ON CONFLICT|(?:CROSS|LEFT) JOIN|ORDER BY|GROUP BY)\b(?!.*\*\/)/;
    expect(linesWith(keyword).filter((line) => !isOlder.test(line))).toEqual([]);
  });

  it('SQL names the columns of rows that travel as JSON', () => {
    const others =
      /^worker\/(?:clicks\/fold\/recent-clicks|clicks\/maintenance\/prune-recent-clicks|db\/batch)\.ts/;
    expect(linesWith(/->>? *'?\d/).filter((line) => !others.test(line))).toEqual([]);
  });

  it('JSON that SQL makes names its members', () => {
    // Lists of values of one kind, pairs of a map, and stored forms of rows and counts.
    const lists =
      /^worker\/(?:backup\/write-backup|clicks\/fold\/counts-codec|db\/domain-names|edge\/taken-codes|jobs\/job-order)\.ts/;
    expect(linesWith(/\bjson_array\(/).filter((line) => !lists.test(line))).toEqual([]);
  });
});
