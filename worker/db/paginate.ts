import { PAGE_SIZE } from '#contract/limits.ts';
import { or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * The rows that a query reads for one page: one more than the page shows, to tell whether another
 * page follows.
 */
export const PAGE_LIMIT = PAGE_SIZE + 1;

/** `nextCursor` is null on the last page. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null };

/**
 * Makes a page of up to `PAGE_LIMIT` rows. `cursorOf` returns the cursor that continues after a
 * row. `unread` is the cursor at which a query with a limited number of reads has stopped; null if
 * it has read all rows.
 */
export function paginate<Row>(
  rows: readonly Row[],
  cursorOf: (row: Row) => string,
  unread: string | null = null,
): Page<Row> {
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > PAGE_SIZE && last !== undefined ? cursorOf(last) : unread,
  };
}

/**
 * The row id in a cursor. Null (the first page) for an empty cursor, or one that this API did not
 * write.
 */
export function idFromCursor(cursor: string): number | null {
  return /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : null;
}

/**
 * True in SQL if one of `texts` contains `text`, ignoring the case of ASCII letters; undefined for
 * an empty text. It does not use LIKE, because D1 limits patterns to 50 bytes, and `%` and `_`
 * would need escaping.
 */
export function containsText(text: string, ...texts: (SQLiteColumn | SQL)[]): SQL | undefined {
  return text === ''
    ? undefined
    : or(...texts.map((other) => sql`instr(lower(${other}), lower(${text})) > 0`));
}
