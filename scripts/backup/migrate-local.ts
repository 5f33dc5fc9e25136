import { boundShards } from '#worker/db/shards.ts';
import { withLocalEnv } from '#scripts/shared/local-env.ts';
import { applyMigrations } from './migrations.ts';

/**
 * `node scripts/backup/migrate-local.ts STATE`, which scripts/local/migrate.ts runs as a separate
 * process, because it needs the types of both runtimes. `wrangler d1 migrations apply` starts a
 * server for each migration, which takes five times as long.
 */
const [state = ''] = process.argv.slice(2);
await withLocalEnv(state, async (env) => {
  const shards = boundShards(env).map(([, database]) => database);
  for (const database of [env.DB, ...shards]) await applyMigrations(database);
});
