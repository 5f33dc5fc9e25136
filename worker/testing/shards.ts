import { env } from 'cloudflare:test';
import { boundShards, type ShardEnv } from '#worker/db/shards.ts';
import { migrate } from './migrate.ts';

export type ShardedEnv = Env & ShardEnv;

/**
 * Returns the environment with `count` migrated databases that hold clicks, including the main one.
 * All of them accept new links (vitest.config.ts has 15 spare ones).
 */
export async function withShards(count: number): Promise<ShardedEnv> {
  const spare: unknown[] = Array.from({ length: count - 1 }, (_, i) =>
    Reflect.get(env, `SHARD_${i + 1}`),
  );
  const bindings = Object.fromEntries(spare.map((binding, i) => [`CLICKS_${i + 1}`, binding]));
  const sharded = {
    ...env,
    ...bindings,
    CLICKS_SHARDS: ['DB', ...Object.keys(bindings)].join(','),
  };
  await Promise.all(boundShards(sharded).map(([, database]) => migrateOnce(database)));
  return sharded;
}

/** A test file may use the same spare database more than once. */
async function migrateOnce(db: D1Database): Promise<void> {
  const tables = db.prepare(`SELECT count(*) AS n FROM sqlite_master`);
  if ((await tables.first<number>('n')) === 0) await migrate(db);
}

/** Returns every database of the environment that holds clicks, the main one first. */
export const databasesOf = (sharded: ShardEnv): D1Database[] => [
  sharded.DB,
  ...boundShards(sharded).map(([, db]) => db),
];

/** Returns the environment with each of these databases replaced. `shard` is its number. */
export function mapShards(
  sharded: ShardedEnv,
  replace: (database: D1Database, shard: number) => D1Database,
): ShardedEnv {
  const replaced = boundShards(sharded).map(([name, db]) => [
    name,
    replace(db, Number(name.slice('CLICKS_'.length))),
  ]);
  return { ...sharded, DB: replace(sharded.DB, 0), ...Object.fromEntries(replaced) };
}
