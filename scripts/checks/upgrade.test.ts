import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate, migrationNames, openHead, schemaOf } from './schema-files.ts';

const tablesOf = (db: DatabaseSync): string[] =>
  schemaOf(db)
    .filter(({ type, name }) => type === 'table' && name !== 'd1_migrations')
    .map(({ name }) => name);

function fill(db: DatabaseSync): void {
  for (const table of tablesOf(db)) {
    const columns = db
      .prepare(`SELECT name, type FROM pragma_table_info('${table}') WHERE dflt_value IS NULL`)
      .all();
    const values = columns.map(({ type }) =>
      String(type).toLowerCase() === 'integer' ? '1' : `'text'`,
    );
    const names = columns.map(({ name }) => `"${String(name)}"`);
    db.exec(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`);
  }
}

const rowsOf = (db: DatabaseSync): [string, unknown][] =>
  tablesOf(db).map((table) => [
    table,
    db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'],
  ]);

const head = schemaOf(openHead());

it.each(migrationNames())('the schema of %s becomes the newest one and keeps its rows', (name) => {
  const db = new DatabaseSync(':memory:');
  const names = migrationNames();
  migrate(db, names.slice(0, names.indexOf(name) + 1));
  fill(db);
  const before = rowsOf(db);
  expect(before.length).toBeGreaterThan(25);
  migrate(db, names.slice(names.indexOf(name) + 1));
  expect(schemaOf(db)).toEqual(head);
  const kept = new Map(rowsOf(db));
  expect(before.filter(([table, rows]) => kept.has(table) && kept.get(table) !== rows)).toEqual([]);
});
