import { join } from 'node:path';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { ROOT } from '#scripts/shared/place.ts';
import { isFromBefore } from '#worker/db/baseline.ts';
import { FROM_BEFORE } from '#worker/messages/backup.ts';

/** Returns the names of all migrations of this release, oldest first. */
export const migrationNames = async (): Promise<string[]> =>
  (await readMigrations()).map(({ name }) => name);

const readMigrations = () => readD1Migrations(join(ROOT, 'migrations'));

/**
 * Applies the missing migrations up to and including `last`, each atomically, and records them in
 * the table of `wrangler d1 migrations apply`.
 */
export async function applyMigrations(db: D1Database, last?: string): Promise<void> {
  await db
    .prepare(
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    )
    .run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  if (results.some(({ name }) => isFromBefore(name)))
    throw new Error(`This database ${FROM_BEFORE} Restore into an empty one.`);
  for (const { name, queries } of await readMigrations()) {
    if (applied.has(name) || (last !== undefined && name > last)) continue;
    await db.batch([
      ...queries.map((query) => db.prepare(query)),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(name),
    ]);
  }
}
