import { sql, type SQL } from 'drizzle-orm';
import type { LinkKey } from '#contract/link-key.ts';
import { links } from './schema-links.ts';

/**
 * True in SQL if a row of `links` is the link with this key. A deleted link that has released its
 * code does not match. `name` is the statement's name for the table. The index `links_by_code`
 * applies, because the condition repeats that of the index.
 */
export const hasKey = (key: SQL | LinkKey, name?: string): SQL =>
  sql`${rowOf(name)}.code = ${key} and ${rowOf(name)}.released_at is null`;

/** `hasKey` for several keys; `keys` is a list or a query in parentheses. */
export const hasOneKey = (keys: SQL, name?: string): SQL =>
  sql`${rowOf(name)}.code in ${keys} and ${rowOf(name)}.released_at is null`;

/** True in SQL if a row of `links` is an alias that differs from this key at most by case. */
export const isAliasLike = (key: SQL | LinkKey, name: string): SQL =>
  sql`lower(${rowOf(name)}.code) = lower(${key}) and ${rowOf(name)}.is_alias = 1
    and ${rowOf(name)}.released_at is null`;

const rowOf = (name?: string): SQL => (name === undefined ? sql`${links}` : sql.raw(name));
