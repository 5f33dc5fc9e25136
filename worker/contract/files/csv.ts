/** If a CSV file starts with this mark, spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The first characters that make a spreadsheet read a cell as a formula. A cell that begins with an
 * apostrophe is shown as text. This is our own code, because papaparse would add 7.2 KB (gzip) to
 * the Worker.
 */
const FORMULA = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Returns one cell: always quoted (RFC 4180) and never a formula (SECURITY.md T19). */
export function csvCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Returns one cell of a file that only programs read: quoted if necessary, and never changed. */
export const csvPart = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns rows as CSV text; every line ends with CRLF. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
