import { plural } from '#contract/language.ts';
import { meaningsOf } from './columns.ts';
import { recognize } from './formats.ts';
import { ImportError } from './import-row.ts';

/** Lines of a table or JSON entries, with named columns. A line of a list is only an address. */
export type ParsedFile = {
  names: readonly string[];
  lines: readonly {
    line: number;
    address?: string;
    cellOf?: (column: number) => unknown;
    /** The columns that the line has, in their order; all if absent. */
    columns?: readonly number[];
    problem?: string;
  }[];
};
type Line = { line: number; cells: string[] };
type Parse = (
  text: string,
  options?: { delimiter?: string; onlyFirst?: boolean },
) => { lines: Line[]; delimiter: string };

const DELIMITERS = [',', ';', '\t', '|'];
const ADDRESS = /^(?:https?:\/\/\S|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?$)/iu;
/**
 * A text without column names is a table if this many lines have as many cells as the first one.
 */
const SAMPLE_LINES = 100;

export const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && ADDRESS.test(value.trim());

export async function loadParser(): Promise<Parse> {
  const { default: papa } = await import('papaparse');
  return (text, { delimiter = '', onlyFirst = false } = {}) => {
    const lines: Line[] = [];
    let line = 1;
    let start = 0;
    let used = delimiter;
    papa.parse<string[]>(text, {
      delimiter,
      delimitersToGuess: DELIMITERS,
      newline: '\n',
      preview: onlyFirst ? 1 : 0,
      step({ data, errors, meta }) {
        // An unclosed quotation mark pulls the following lines into its cell.
        if (!onlyFirst && errors.some(({ type }) => type === 'Quotes'))
          throw new ImportError(
            `A quotation mark in line ${line} is not closed, or not doubled. Correct the line and try again.`,
          );
        used = meta.delimiter;
        if (data.some((cell) => cell.trim() !== '')) lines.push({ line, cells: data });
        // The parser knows its offset but not the line, because cells can contain line breaks.
        for (
          let at = text.indexOf('\n', start);
          at >= 0 && at < meta.cursor;
          at = text.indexOf('\n', at + 1)
        )
          line += 1;
        start = meta.cursor;
      },
    });
    return { lines, delimiter: used };
  };
}

/**
 * Reads the lines of a table, whose first line may name the columns. A list of addresses has no
 * columns.
 */
export function readLines(
  text: string,
  parse: Parse,
  chosen: Readonly<Record<string, string>>,
): ParsedFile {
  // Excel declares the delimiter in this way.
  const [, declared] = /^\s*sep=(.)(?=\n)/i.exec(text) ?? [];
  const body = declared === undefined ? text : text.replace(/sep=./i, '');
  const known = findHeader(body, parse, chosen, declared === undefined ? DELIMITERS : [declared]);
  const delimiterOf = known ?? declared;
  const { lines, delimiter } = parse(
    body,
    delimiterOf === undefined ? {} : { delimiter: delimiterOf },
  );
  const [first] = lines;
  if (first === undefined || (known === undefined && !isTable(lines, delimiter)))
    return readList(body);
  if (known === undefined && first.cells.some(isAddress))
    return toSource(
      first.cells.map(() => ''),
      lines,
      delimiter,
    );
  return toSource(first.cells, lines.slice(1), delimiter);
}

/**
 * Returns the delimiter with which the first line names the most columns, including the
 * destination.
 */
function findHeader(
  text: string,
  parse: Parse,
  chosen: Readonly<Record<string, string>>,
  delimiters: readonly string[],
): string | undefined {
  const head = text.replace(/^(?:[ \t]*\n)+/, '');
  let found: { delimiter: string; columns: number } | undefined;
  for (const delimiter of delimiters) {
    const [first] = parse(head, { delimiter, onlyFirst: true }).lines;
    if (first === undefined || first.cells.some(isAddress)) continue;
    const meanings = meaningsOf(first.cells, recognize(first.cells, false).columns, chosen);
    const columns = meanings.filter((meaning) => meaning !== null).length;
    if (meanings.includes('url') && columns > (found?.columns ?? 0)) found = { delimiter, columns };
  }
  return found?.delimiter;
}

/** A single line with a comma is more likely an address that contains it. */
function isTable(lines: readonly Line[], delimiter: string): boolean {
  const sample = lines.slice(0, SAMPLE_LINES);
  const width = sample[0]?.cells.length ?? 0;
  return (
    width > 1 &&
    (lines.length > 1 || delimiter === '\t') &&
    sample.every(({ cells }) => cells.length === width) &&
    sample.some(({ cells }) => cells.some(isAddress))
  );
}

function readList(text: string): ParsedFile {
  const lines = text
    .split('\n')
    .map((address, index) => ({ line: index + 1, address: address.trim() }))
    .filter(({ address }) => address !== '' && !address.startsWith('#'));
  return { names: [], lines };
}

function toSource(
  header: readonly string[],
  lines: readonly Line[],
  delimiter: string,
): ParsedFile {
  const names = uniqueNames(header);
  return {
    names,
    lines: lines.map(({ line, cells }) => {
      // In a single column, an address with a comma needs no quotation marks.
      if (names.length === 1) return { line, cellOf: () => cells.join(delimiter) };
      const cellOf = (column: number): unknown => valueOf(cells[column]);
      if (cells.slice(names.length).every((cell) => cell.trim() === '')) return { line, cellOf };
      const problem = `This line has ${plural(cells.length, 'cell')} for ${plural(names.length, 'column')}. Put text that contains the separator in quotation marks.`;
      return { line, cellOf, problem };
    }),
  };
}

/** MySQL writes these for a cell without a value. */
const valueOf = (cell: string | undefined): string | undefined =>
  cell === 'NULL' || cell === String.raw`\N` ? undefined : cell;

function uniqueNames(header: readonly string[]): string[] {
  const used = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim() || `Column ${index + 1}`;
    const unique = used.has(name) ? `${name} (column ${index + 1})` : name;
    used.add(unique);
    return unique;
  });
}
