import { mkdirSync, mkdtempSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeLocalDatabase, withLocalDatabase } from './local-database.ts';

it('statements return their rows, or change nothing if one of them fails', () => {
  const state = mkdtempSync(join(tmpdir(), 'hop-database-'));
  expect(() => changeLocalDatabase(state, [])).toThrow(`There is no database in ${state}.`);
  const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  mkdirSync(folder, { recursive: true });
  for (const name of ['a', 'metadata'])
    new DatabaseSync(join(folder, `${name}.sqlite`)).exec(`create table ${name} (x)`);
  const rows = changeLocalDatabase(state, [
    'insert into a values (1), (2) returning x',
    'delete from a where x = 1',
  ]);
  expect(rows.map((row) => row['x'])).toEqual([1, 2]);
  expect(() => changeLocalDatabase(state, ['delete from a', 'delete from b'])).toThrow('b');
  const left = withLocalDatabase(state, (db) => db.prepare('select x from a').all());
  expect(left.map((row) => row['x'])).toEqual([2]);
  const write = () => withLocalDatabase(state, (db) => db.exec('delete from a'));
  expect(write).toThrow('readonly');
});
