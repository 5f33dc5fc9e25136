import { or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

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
