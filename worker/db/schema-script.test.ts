import { applyD1Migrations, env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';

const read = async (db: D1Database) => {
  const schema = db.prepare(
    `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name`,
  );
  const names = db.prepare('SELECT id, name FROM d1_migrations ORDER BY id');
  const keys = db.prepare('SELECT length(key) AS length, numbered_through FROM link_id_keys');
  return (await db.batch([schema, names, keys])).map(({ results }) => results);
};

describe('the schema of the tests', () => {
  it('what test files start with is what all migrations lead to', async () => {
    const spare: D1Database = Reflect.get(env, 'SHARD_1');
    await applyD1Migrations(spare, env.TEST_MIGRATIONS);
    expect(await read(env.DB)).toEqual(await read(spare));
  });
});
