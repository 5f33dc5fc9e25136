import { stripVTControlCharacters, styleText } from 'node:util';

/** Removes control characters from a server's text, because they could steer the terminal. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ');

/**
 * Formats rows with aligned columns, cut to the width of the terminal. Files and pipes get the full
 * text.
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

/** A short URL as people read it. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');
