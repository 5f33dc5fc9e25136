import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openDb } from './client.ts';
import { inJsonChunks, jsonList, jsonRows } from './json-rows.ts';

const db = openDb(env.DB);

it('brings rows to SQL by the names of their columns, whatever the order of members', async () => {
  const rows = jsonRows(
    ['id', 'name', 'list'],
    [
      { name: "O'Hara ?1", id: 1, list: [1, 2] },
      { id: 2, list: [], name: null },
    ],
  );
  expect(await db.all(sql`select name, id, list from ${rows} where id > ${0}`)).toEqual([
    { name: "O'Hara ?1", id: 1, list: '[1,2]' },
    { name: null, id: 2, list: '[]' },
  ]);
});

it('brings no row for an empty list', async () => {
  expect(await db.all(sql`select id from ${jsonRows(['id'], [])}`)).toEqual([]);
  expect(await db.all(sql`select 1 where 1 in ${jsonList([])}`)).toEqual([]);
});

it('splits rows that are too long for one parameter, and loses none', async () => {
  const rows = Array.from({ length: 5 }, (_, id) => ({ id, text: 'x'.repeat(200_000) }));
  const statements = inJsonChunks(['id', 'text'], rows, (some) => sql`select id from ${some}`);
  expect(statements).toHaveLength(3);
  const found = await Promise.all(statements.map((statement) => db.all<{ id: number }>(statement)));
  expect(found.flat().map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
});
