import { is, SQL, sql } from 'drizzle-orm';
import type { Db } from './client.ts';

export type Statement = SQL | { toSQL(): { sql: string; params: unknown[] } };

/**
 * The start of a batch that takes from an allowance. Later statements cannot tell from a count
 * whether there was room, so the counter's row also gets a random `attempt`, or null if there was
 * none. `isTaken` is true in SQL if the row has this attempt.
 */
export type TakeStep = { statements: Statement[]; isTaken: SQL };

type Row = Record<string, unknown>;

/** The result of a statement, or the sum of a group of statements. Row counts are those of D1. */
export type StatementResult<R = Row> = {
  rows: R[];
  changes: number;
  rowsRead: number;
  rowsWritten: number;
};

/**
 * The type of a statement's rows: `sql<{ id: number }>` declares it, otherwise values are unknown.
 */
type RowOf<S> = S extends readonly (infer One)[]
  ? RowOf<One>
  : S extends SQL<infer R>
    ? unknown extends R
      ? Row
      : R
    : Row;

/**
 * Runs statements as one atomic batch and returns the rows of each, in order. For batches that
 * contain raw SQL: Drizzle's own `batch()` cannot bind its parameters.
 */
export async function runBatch(db: Db, statements: readonly Statement[]): Promise<Row[][]> {
  const results = await db.$client.batch<Row>(
    statements.map((statement) => prepare(db, statement)),
  );
  return results.map((result) => result.results);
}

/**
 * Runs statements as one atomic batch and returns each result under its statement's name. The
 * statements run in the order of the names. The results of a group of statements under one name are
 * added up.
 *
 *     const { changed } = await runNamedBatch(db, { record: …, changed: sql<{ id: number }>`update … returning id` });
 *     if (changed.rows.length > 0) …
 */
export function runNamedBatch<T extends Record<string, Statement | readonly Statement[]>>(
  db: Db,
  statements: T,
): Promise<{ [Name in keyof T]: StatementResult<RowOf<T[Name]>> }>;
export async function runNamedBatch(
  db: Db,
  statements: Record<string, Statement | readonly Statement[]>,
): Promise<Record<string, StatementResult>> {
  const named = Object.entries(statements).flatMap(([name, group]) =>
    (isGroup(group) ? group : [group]).map((statement) => ({ name, statement })),
  );
  const sums: Record<string, StatementResult> = {};
  for (const name of Object.keys(statements))
    sums[name] = { rows: [], changes: 0, rowsRead: 0, rowsWritten: 0 };
  if (named.length === 0) return sums;
  const results = await db.$client.batch<Row>(named.map(({ statement }) => prepare(db, statement)));
  for (const [index, { name }] of named.entries()) {
    const sum = sums[name];
    const result = results[index];
    if (sum === undefined || result === undefined) throw new Error(`D1 gave no result for ${name}`);
    sum.rows.push(...result.results);
    sum.changes += result.meta.changes;
    sum.rowsRead += result.meta.rows_read;
    sum.rowsWritten += result.meta.rows_written;
  }
  return sums;
}

/**
 * `value` if `condition` holds, else NULL. Written to a NOT NULL column, NULL makes the whole batch
 * fail and roll back.
 */
export const abortUnless = (condition: SQL, value: SQL): SQL =>
  sql`case when ${condition} then ${value} end`;

const isGroup = (group: Statement | readonly Statement[]): group is readonly Statement[] =>
  Array.isArray(group);

export function prepare(db: Db, statement: Statement): D1PreparedStatement {
  const query = is(statement, SQL) ? db.run(statement).getQuery() : statement.toSQL();
  return db.$client.prepare(query.sql).bind(...query.params);
}
