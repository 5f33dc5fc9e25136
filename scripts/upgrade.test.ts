import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { migrate, migrationNames, openHead, SCHEMAS, schemaOf } from './schema-files.ts';

const releases = globSync('*.sql', { cwd: SCHEMAS });

/** The number of rows of every table of the product. */
function rowsOf(db: DatabaseSync): Record<string, unknown> {
  const tables = schemaOf(db).filter(
    ({ type, name }) => type === 'table' && name !== 'd1_migrations',
  );
  return Object.fromEntries(
    tables.map(({ name }) => [name, db.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']]),
  );
}

describe('the schema of each release', () => {
  it('is there for the first release', () => {
    expect(releases).toContain('0009_api_keys.sql');
  });

  it.each(releases)('%s becomes that of this release, and keeps its rows', (file) => {
    const db = new DatabaseSync(':memory:');
    db.exec(readFileSync(join(SCHEMAS, file), 'utf8'));
    const applied = db
      .prepare('SELECT name FROM d1_migrations')
      .all()
      .map(({ name }) => String(name));
    expect(applied.at(-1)).toBe(basename(file));
    // A landed migration has neither been renamed nor removed.
    expect(applied.filter((name) => !migrationNames().includes(name))).toEqual([]);
    const before = rowsOf(db);
    migrate(
      db,
      migrationNames().filter((name) => !applied.includes(name)),
    );
    expect(schemaOf(db)).toEqual(schemaOf(openHead()));
    const after = rowsOf(db);
    const kept = Object.fromEntries(
      Object.keys(before)
        .filter((name) => name in after)
        .map((name) => [name, after[name]]),
    );
    expect(Object.keys(before).length).toBeGreaterThan(25);
    expect(kept).toEqual(Object.fromEntries(Object.keys(kept).map((name) => [name, before[name]])));
  });
});
