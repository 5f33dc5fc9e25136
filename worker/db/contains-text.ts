import { or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * True in SQL if one of `texts` contains `text`, ignoring the case of ASCII letters; undefined for
 * an empty text. LIKE is not used, because D1 limits its patterns to 50 bytes and `%` and `_` would
 * have to be escaped.
 */
export function containsText(text: string, ...texts: (SQLiteColumn | SQL)[]): SQL | undefined {
  return text === ''
    ? undefined
    : or(...texts.map((other) => sql`instr(lower(${other}), lower(${text})) > 0`));
}
