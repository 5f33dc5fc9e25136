import { is, SQL, sql } from 'drizzle-orm';
import type { Db } from './client.ts';

/** SQL text with parameters, or a Drizzle query. */
export type Statement = SQL | { toSQL(): { sql: string; params: unknown[] } };

/**
 * The beginning of a batch that does something only as long as an allowance has room. No count can
 * tell the later statements of the batch whether it had, so the row that is counted also gets a
 * random `attempt`, or null if there was no room: `isTaken` is true in SQL if it has this one.
 */
export type TakeStep = { statements: Statement[]; isTaken: SQL };

type Row = Record<string, unknown>;

/** What one statement did, or a group of statements together. The numbers are D1's own figures. */
export type StatementResult<R = Row> = {
  rows: R[];
  changes: number;
  rowsRead: number;
  rowsWritten: number;
};

/**
 * The rows of a statement: `sql<{ id: number }>` declares them, otherwise their values are unknown.
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
 * statements run in the order of the names. A name may hold a group of statements: their results
 * are added up.
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
 * `value` where `condition` holds, else NULL. Written to a NOT NULL column, it makes the whole
 * batch fail and roll back unless the condition holds when the batch runs.
 */
export const abortUnless = (condition: SQL, value: SQL): SQL =>
  sql`case when ${condition} then ${value} end`;

const isGroup = (group: Statement | readonly Statement[]): group is readonly Statement[] =>
  Array.isArray(group);

/** A statement as D1 takes it. */
export function prepare(db: Db, statement: Statement): D1PreparedStatement {
  const query = is(statement, SQL) ? db.run(statement).getQuery() : statement.toSQL();
  return db.$client.prepare(query.sql).bind(...query.params);
}
