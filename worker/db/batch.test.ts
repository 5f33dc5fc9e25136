import { sql } from 'drizzle-orm';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { inJsonChunks, jsonList, jsonRows, runNamedBatch } from './batch.ts';
import { openDb } from './client.ts';
import { counters } from './schema-system.ts';

const db = openDb(env.DB);
const insert = (key: string) =>
  sql`insert into ${counters} (key, count, expires_at) values (${key}, 1, 0) returning key`;

beforeEach(async () => {
  await db.delete(counters);
});

describe('runNamedBatch', () => {
  it('returns rows and changes under the name of each statement', async () => {
    const { inserted, raised, all } = await runNamedBatch(db, {
      inserted: insert('a'),
      raised: db.update(counters).set({ count: 5 }),
      all: sql<{ key: string; count: number }>`select key, count from ${counters}`,
    });
    expect(inserted).toMatchObject({ rows: [{ key: 'a' }], changes: 1 });
    expect(raised).toMatchObject({ rows: [], changes: 1 });
    expect(all).toMatchObject({ rows: [{ key: 'a', count: 5 }], changes: 0 });
    expect(all.rowsRead).toBeGreaterThan(0);
  });

  it('adds up the results of a group and keeps the order of the names', async () => {
    const { before, group, none, after } = await runNamedBatch(db, {
      before: sql`select count(*) as n from ${counters}`,
      group: [insert('a'), insert('b')],
      none: [],
      after: sql`select count(*) as n from ${counters}`,
    });
    expect(before.rows).toEqual([{ n: 0 }]);
    expect(group).toMatchObject({ rows: [{ key: 'a' }, { key: 'b' }], changes: 2 });
    expect(none).toEqual({ rows: [], changes: 0, rowsRead: 0, rowsWritten: 0 });
    expect(after.rows).toEqual([{ n: 2 }]);
  });

  it('writes nothing when one statement fails', async () => {
    await expect(runNamedBatch(db, { first: insert('a'), again: insert('a') })).rejects.toThrow(
      'UNIQUE',
    );
    expect(await db.select().from(counters)).toEqual([]);
  });
});

describe('rows as one parameter', () => {
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
    const found = await Promise.all(
      statements.map((statement) => db.all<{ id: number }>(statement)),
    );
    expect(found.flat().map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  });
});
