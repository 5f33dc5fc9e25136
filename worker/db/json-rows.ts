import { sql, type SQL } from 'drizzle-orm';

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
