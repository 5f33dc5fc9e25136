import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';

/**
 * The databases beside the main one that hold clicks, by their number, and where the clicks of new
 * links go (0 = the main one).
 */
export type Shards = { others: ReadonlyMap<number, D1Database>; forNewLinks: readonly number[] };

const NO_SHARDS: Shards = { others: new Map(), forNewLinks: [0] };

/**
 * A Drizzle client on a D1 binding. D1 has no interactive transactions: use `db.batch()`,
 * `runBatch` or `runNamedBatch`.
 */
export type Db = DrizzleD1Database & { $client: D1Database; $shards: Shards };

/** Code that needs the clicks of links opens the database with `openShards` (db/shards.ts). */
export function openDb(binding: D1Database, shards: Shards = NO_SHARDS): Db {
  return Object.assign(drizzle(binding), { $shards: shards });
}
