/** With this mark at its start, spreadsheets read a CSV file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The first characters with which a spreadsheet reads a cell as a formula. It shows a cell that
 * begins with an apostrophe as text. Our own code instead of papaparse, which adds 7.2 KB (gzip) to
 * the Worker for these functions.
 */
const FORMULA = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Returns one cell: always quoted (RFC 4180) and never a formula (SECURITY.md T19). */
export function csvCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/**
 * Returns one cell for a file that only a program reads: quoted where it must be, and never
 * changed.
 */
export const csvPart = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns rows as CSV text; every line ends with CRLF. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
