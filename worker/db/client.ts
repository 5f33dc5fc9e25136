import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';

/** A Drizzle client on a D1 binding. D1 has no interactive transactions: use `db.batch()`, `runBatch` or `runNamedBatch`. */
export type Db = DrizzleD1Database & { $client: D1Database };

export function openDb(binding: D1Database): Db {
  return drizzle(binding);
}
