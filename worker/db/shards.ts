import { MAIN, openDb, type Db } from './client.ts';

/** The environment of code that reads or writes clicks. */
export type ShardEnv = { DB: D1Database; CLICKS_SHARDS?: string };

/** Shard n > 0 is bound as `CLICKS_<n>`. */
const BINDING = /^CLICKS_([1-9]\d{0,3})$/;

/**
 * Opens the main database with all databases that hold clicks (docs/operations.md#add-a-shard).
 * Every binding named `CLICKS_<n>` is one; CLICKS_SHARDS only says where the clicks of new links
 * go.
 */
export function openShards(env: ShardEnv): Db {
  const others = new Map<number, D1Database>();
  for (const [name, binding] of boundShards(env)) others.set(numberOf(name) ?? 0, binding);
  if (others.size === 0) return openDb(env.DB);
  const named = (env.CLICKS_SHARDS ?? '')
    .split(/[\s,]+/)
    .map((name) => (name === MAIN ? 0 : numberOf(name)));
  const forNewLinks = named
    .filter((shard) => shard !== null)
    .filter((shard) => shard === 0 || others.has(shard));
  return openDb(env.DB, { others, forNewLinks: forNewLinks.length === 0 ? [0] : forNewLinks });
}

/** The bindings of the databases that hold clicks, without the main one. */
export const boundShards = (env: ShardEnv): [name: string, binding: D1Database][] =>
  Object.entries(env).flatMap(([name, binding]: [string, unknown]): [string, D1Database][] =>
    numberOf(name) !== null && isDatabase(binding) ? [[name, binding]] : [],
  );

export const shardName = (shard: number): string => (shard === 0 ? MAIN : `CLICKS_${shard}`);

function numberOf(name: string): number | null {
  const [, digits] = BINDING.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding;

/**
 * The shard of a new link with this code. New links are spread evenly over the databases for new
 * links.
 */
export function shardOfNewLink({ $shards: { forNewLinks } }: Db, code: string): number {
  let sum = 0;
  for (let i = 0; i < code.length; i++) sum = (31 * sum + code.charCodeAt(i)) % 65_521;
  return forNewLinks[sum % forNewLinks.length] ?? 0;
}

/** The database that holds the clicks of links with this shard. Throws if it is not bound. */
export function openShard(db: Db, shard: number): Db {
  if (shard === 0) return db;
  const binding = db.$shards.others.get(shard);
  if (binding === undefined)
    throw new Error(`The database ${shardName(shard)}, which holds clicks, is not bound.`);
  return openDb(binding, undefined, shardName(shard));
}

/** Every database that holds clicks, the main one first. */
export const allShards = (db: Db): { shard: number; db: Db }[] =>
  [0, ...db.$shards.others.keys()].map((shard) => ({ shard, db: openShard(db, shard) }));
