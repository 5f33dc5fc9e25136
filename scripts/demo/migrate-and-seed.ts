import { boundShards } from '#worker/db/shards.ts';
import { applyMigrations } from '#scripts/backup/migrations.ts';
import { withLocalEnv } from '#scripts/shared/local-env.ts';
import { NO_DEMO } from './unfinished.ts';

/**
 * `node scripts/demo/migrate-and-seed.ts STATE [ORIGIN]`, which scripts/local/prepare-database.ts runs as a
 * separate process, because it needs the types of both runtimes. Applies the missing migrations;
 * `wrangler d1 migrations apply` starts a server for each, which takes five times as long. With an
 * origin, it also writes demo data into an empty database, and exits with NO_DEMO if there are no
 * demo accounts.
 */
const [state = '', origin] = process.argv.slice(2);
await withLocalEnv(state, async (env) => {
  const shards = boundShards(env).map(([, database]) => database);
  for (const database of [env.DB, ...shards]) await applyMigrations(database);
  if (origin === undefined) return;
  const { seedDemo } = await import('./seed.ts');
  if (!(await seedDemo(env, state, origin))) process.exitCode = NO_DEMO;
});
