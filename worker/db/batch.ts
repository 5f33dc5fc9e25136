import { is, SQL } from 'drizzle-orm';
import type { Db } from './client.ts';

/** SQL text with parameters, or a Drizzle query. */
export type Statement = SQL | { toSQL(): { sql: string; params: unknown[] } };

/**
 * Runs statements as one atomic batch; the rows of each, in their order. For batches that hold raw SQL: Drizzle's own
 * `batch()` cannot bind the parameters of one.
 */
export async function runBatch(db: Db, statements: readonly Statement[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = is(statement, SQL) ? db.run(statement).getQuery() : statement.toSQL();
    return db.$client.prepare(sql).bind(...params);
  });
  const results = await db.$client.batch<Record<string, unknown>>(prepared);
  return results.map((result) => result.results);
}
