import { env } from 'cloudflare:test';

/**
 * Applies all migrations to an empty database as one batch, which takes a third of the time that
 * one batch for each of them takes.
 */
export async function migrate(db: D1Database): Promise<void> {
  const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
  const applied = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)');
  await db.batch([
    db.prepare(APPLIED),
    ...queries.map((query) => db.prepare(query)),
    ...env.TEST_MIGRATIONS.map(({ name }) => applied.bind(name)),
  ]);
}

/** As the platform's tool creates it. */
const APPLIED = `CREATE TABLE d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
