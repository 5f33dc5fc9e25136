export type Query = { sql: string; params: readonly unknown[] };

/** The result of a query in the protocol between D1 and its binding. */
export type QueryResult = {
  results: { columns: readonly string[]; rows: readonly (readonly unknown[])[] };
  meta: D1Meta & Record<string, unknown>;
};

/** Runs queries in D1. Several queries are one atomic batch. */
export type RunQueries = (queries: readonly Query[]) => Promise<QueryResult[]>;

/** Creates the methods of a D1 binding that sends each statement or batch to `run`. */
export function d1On(run: RunQueries) {
  const batch = async (queries: readonly Query[]) =>
    (await run(queries)).map(({ results: { columns, rows }, meta }) => ({
      success: true,
      meta,
      results: rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]]))),
    }));
  const prepare = (sql: string, params: readonly unknown[] = []) => {
    const all = async () => (await batch([{ sql, params }]))[0];
    return {
      sql,
      params,
      bind: (...values: unknown[]) =>
        prepare(
          sql,
          values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
        ),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all())?.results[0] ?? null;
        return column === undefined || row === null ? row : row[column];
      },
      raw: async () => (await run([{ sql, params }]))[0]?.results.rows,
    };
  };
  return { prepare, batch };
}
