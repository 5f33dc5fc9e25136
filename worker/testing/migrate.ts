import { env } from 'cloudflare:test';

/** Gives an empty database the schema that all migrations lead to. */
export async function migrate(db: D1Database): Promise<void> {
  await db.batch(env.TEST_SCHEMA.map((query) => db.prepare(query)));
}
