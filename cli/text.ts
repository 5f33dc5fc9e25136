import { stripVTControlCharacters, styleText } from 'node:util';

/** Text from a server, without characters that would steer the terminal. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ');

/**
 * Rows with aligned columns, no longer than the terminal is wide. What goes into a file or a pipe
 * is complete.
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(plain));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
  return cells.map((row) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    return line.length > width ? `${line.slice(0, width - 1)}…` : line;
  });
}

export const bold = (text: string): string =>
  process.stdout.isTTY ? styleText('bold', plain(text)) : plain(text);
