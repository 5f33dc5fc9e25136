import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /**
   * Gives the column the remaining width; other columns are as wide as their content. Without such
   * a column, the headers decide the widths.
   */
  wide?: boolean;
  /** On a phone this cell is the first line of its row and has no header. */
  lead?: boolean;
};

/**
 * A table. On a phone each row becomes a block: the lead cell first, the others as header and
 * value.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}) {
  const hasWide = columns.some(({ wide }) => wide === true);
  return (
    <table className="w-full border-collapse text-14 max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={clsx(
                'border-b border-line px-3 py-2 text-12 font-medium text-ink-3 first:ps-0 last:pe-0',
                column.numeric === true ? 'text-end' : 'text-start',
                column.wide === true && 'w-full',
              )}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="border-b border-line last:border-b-0 max-sm:block max-sm:py-3"
          >
            {columns.map((column) => (
              <td
                key={column.header}
                className={clsx(
                  'px-3 py-2.5 align-middle first:ps-0 last:pe-0 max-sm:flex max-sm:max-w-none max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-1',
                  hasWide && column.wide !== true ? 'max-w-56' : 'max-w-0',
                  column.numeric === true ? 'text-end tabular-nums' : 'text-start',
                )}
              >
                {column.lead !== true && (
                  <span className="shrink-0 text-13 text-ink-3 sm:hidden">{column.header}</span>
                )}
                <span
                  className={clsx(
                    'min-w-0 truncate',
                    column.lead === true ? 'block max-sm:flex-1' : 'sm:block',
                  )}
                >
                  {column.cell(row)}
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
