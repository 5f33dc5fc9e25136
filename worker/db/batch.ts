import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './client.ts';

export type Statement = SQL | { toSQL(): { sql: string; params: unknown[] } };

/**
 * The start of a batch that takes from an allowance. Later statements cannot tell from a count
 * whether there was room, so the counter's row also gets a random `attempt`, or null if there was
 * none. `isCharged` is true in SQL if the row has this attempt.
 */
export type TakeStep = { statements: Statement[]; isCharged: SQL };

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

/**
 * Rows for a statement, as a table with named columns. They are passed as one JSON parameter,
 * because D1 allows 100 parameters per statement. Arrays and objects arrive as JSON text.
 *
 *     const rows = jsonRows(['link_id', 'reason'], [{ link_id: 7, reason: 'spam' }]);
 *     sql`insert into holds (link_id, reason) select link_id, reason from ${rows} where true`
 *
 * SQLite needs `where true` between such a select and an `on conflict`.
 */
export function jsonRows<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, unknown>>[],
): SQL {
  return jsonTable(columns, JSON.stringify(rows.map((row) => columns.map((name) => row[name]))));
}

/**
 * Inserts the table's columns of `row`, whose values may be SQL, for each row that `rest` selects:
 * `[from …] where …`.
 */
export function insertSelected<Returned>(
  table: SQLiteTable,
  row: Readonly<Record<string, unknown>>,
  rest: SQL,
): SQL<Returned> {
  const names = Object.keys(getTableColumns(table)).filter((name) => row[name] !== undefined);
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
  const values = sql.join(
    names.map((name) => sql`${row[name]}`),
    sql`, `,
  );
  return sql`insert into ${table} (${columns}) select ${values} ${rest}`;
}

/** The columns of an update, for its `set`. */
export const assign = (row: Readonly<Record<string, unknown>>): SQL =>
  sql.join(
    Object.entries(row).map(([name, value]) => sql`${sql.identifier(name)} = ${value ?? null}`),
    sql`, `,
  );

/** The values of a list as a query of one column: `id in ${jsonList(ids)}`. */
export const jsonList = (items: readonly (string | number)[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(items)}))`;

/** In UTF-16 units of JSON, up to 3 bytes each: well below D1's limit of 2 MB per parameter. */
const CHUNK_MAX = 500_000;

/**
 * Splits rows into as many statements as the parameter limit requires. `statement` gets the rows of
 * each as `jsonRows` returns them.
 */
export function inJsonChunks<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, unknown>>[],
  statement: (rows: SQL) => SQL,
): SQL[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const json = JSON.stringify(columns.map((name) => row[name]));
    if (json.length > room) {
      chunks.push([]);
      room = CHUNK_MAX;
    }
    chunks.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return chunks.map((chunk) => statement(jsonTable(columns, `[${chunk.join(',')}]`)));
}

function jsonTable(columns: readonly string[], json: string): SQL {
  const named = columns.map((name, at) => `value ->> ${at} as ${name}`).join(', ');
  return sql`(select ${sql.raw(named)} from json_each(${json}))`;
}
