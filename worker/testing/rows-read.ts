import { withMethods } from '#worker/db/with-methods.ts';

/**
 * Counts the rows that `db` has read and written, as reported by D1. `raw` does not report them, so
 * reads run twice.
 */
export function countRowsRead(db: D1Database): {
  db: D1Database;
  rowsRead: () => number;
  rowsWritten: () => number;
} {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  let rowsRead = 0;
  let rowsWritten = 0;
  const count = ({ meta }: D1Result): void => {
    rowsRead += meta.rows_read;
    rowsWritten += meta.rows_written;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = withMethods(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: async () => {
        const result = await statement.all();
        count(result);
        return result;
      },
      run: async () => {
        const result = await statement.run();
        count(result);
        return result;
      },
      first: async (column?: string) => {
        const result = await statement.all();
        count(result);
        const row = result.results[0] ?? null;
        return column === undefined || row === null ? row : row[column];
      },
      raw: async () => {
        count(await statement.all());
        return statement.raw();
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const counting = withMethods(db, {
    prepare: (query: string) => wrap(db.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(
        statements.map((statement) => originals.get(statement) ?? statement),
      );
      for (const result of results) count(result);
      return results;
    },
  });
  return { db: counting, rowsRead: () => rowsRead, rowsWritten: () => rowsWritten };
}
