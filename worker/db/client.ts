import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1';
import { timeStatements } from './time-statements.ts';

/**
 * The databases other than the main one that hold clicks, by number, and the databases for the
 * clicks of new links (0 = the main one).
 */
export type Shards = { others: ReadonlyMap<number, D1Database>; forNewLinks: readonly number[] };

/** The binding of the main database, which is shard 0. */
export const MAIN = 'DB';

const NO_SHARDS: Shards = { others: new Map(), forNewLinks: [0] };

/**
 * A Drizzle client on a D1 binding. D1 has no interactive transactions: use `db.batch()`,
 * `runBatch` or `runNamedBatch`.
 */
export type Db = DrizzleD1Database & { $client: D1Database; $shards: Shards };

/**
 * Opens a database, whose statements are measured under the name of its binding. Code that needs
 * the clicks of links uses `openShards` (db/shards.ts).
 */
export const openDb = (binding: D1Database, shards: Shards = NO_SHARDS, name = MAIN): Db =>
  clientOf(timeStatements(binding, name), shards);

/** The client of a database that is measured already. */
export const clientOf = (binding: D1Database, shards: Shards): Db =>
  Object.assign(drizzle(binding), { $shards: shards });

/**
 * Storage broke its own contract, for example by returning no row for a query that always has one.
 * The response is a 503.
 */
export class StorageError extends Error {}
