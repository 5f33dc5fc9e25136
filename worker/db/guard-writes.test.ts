import { env } from 'cloudflare:test';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBatch, runNamedBatch } from './batch.ts';
import { openDb } from './client.ts';
import { guardWrites } from './guard-writes.ts';
import { counters } from './schema-system.ts';

const plain = openDb(env.DB);

/** A right that the tests end, and a database that it guards. */
let holds = true;
const ENDED = new Error('The right has ended.');
const guarded = guardWrites(plain, {
  holds: () => (holds ? sql`1 = 1` : sql`1 = 0`),
  check: async () => {
    if (!holds) throw ENDED;
  },
});

const row = (key: string) => ({ key, count: 1, expires_at: 7, attempt: null });
const keys = async () => (await plain.select().from(counters)).map(({ key }) => key);
/** What a call failed with. Drizzle wraps the error of a single statement. */
const failureOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => null,
    (error: unknown) => (error instanceof Error && error.cause !== undefined ? error.cause : error),
  );

beforeEach(async () => {
  holds = true;
  await plain.delete(counters);
  await plain.insert(counters).values(row('first'));
});

/** Every way in which the Worker writes. */
const WRITES: Record<string, () => PromiseLike<unknown>> = {
  'an insert': () => guarded.insert(counters).values(row('new')),
  'an insert that returns a row': () =>
    guarded.insert(counters).values(row('new')).returning().get(),
  'an update': () => guarded.update(counters).set({ key: 'new' }),
  'a delete': () => guarded.delete(counters),
  'raw SQL': () =>
    guarded.run(sql`insert into counters (key, count, expires_at) values ('new', 1, 7)`),
  'raw SQL that returns rows': () =>
    guarded.all(sql`update counters set key = 'new' returning key`),
  'raw SQL behind a comment': () =>
    guarded.get(sql`/* select */ delete from counters returning key`),
  'an insert from a named query': () =>
    guarded.run(
      sql`with a(key) as (select 'new') insert into counters (key, count, expires_at) select key, 1, 7 from a`,
    ),
  'a write behind a read in one text': () =>
    guarded.$client.prepare('SELECT 1; DELETE FROM counters').run(),
  'a replacement': () =>
    guarded.run(sql`replace into counters (key, count, expires_at) values ('first', 9, 7)`),
  'a batch that begins with a read': () =>
    guarded.batch([guarded.select().from(counters), guarded.delete(counters)]),
  'a batch of statements': () => runBatch(guarded, [sql`select 1`, sql`delete from counters`]),
  'a batch of named statements': () =>
    runNamedBatch(guarded, { read: sql`select 1`, gone: sql`delete from counters` }),
  'a batch of statements of an unguarded client': () =>
    guarded.batch([plain.delete(counters).where(eq(counters.key, 'first'))]),
  'a prepared statement': () =>
    guarded.$client.prepare('DELETE FROM counters WHERE key = ?1').bind('first').run(),
};

describe('guardWrites', () => {
  it.each(Object.entries(WRITES))(
    '[T47] lets nothing through after the right has ended: %s',
    async (_, write) => {
      holds = false;
      expect(await failureOf(write())).toBe(ENDED);
      expect(await plain.select().from(counters)).toEqual([row('first')]);
      holds = true;
      await write();
      expect(await plain.select().from(counters)).not.toEqual([row('first')]);
    },
  );

  it('returns what an unguarded client returns', async () => {
    expect(await guarded.insert(counters).values(row('second')).returning().get()).toEqual(
      row('second'),
    );
    const columns = { at: counters.expires_at, name: counters.key };
    const changed = guarded
      .update(counters)
      .set({ count: 2 })
      .where(eq(counters.key, 'second'))
      .returning(columns);
    expect(await changed).toEqual([{ at: 7, name: 'second' }]);
    const [all, gone] = await guarded.batch([
      guarded.select().from(counters).orderBy(counters.key),
      guarded.delete(counters).where(eq(counters.key, 'second')).returning(),
    ]);
    expect([all.length, gone]).toEqual([2, [{ ...row('second'), count: 2 }]]);
    const one = guarded.$client.prepare(
      "UPDATE counters SET count = 5 WHERE key = 'first' RETURNING key, count",
    );
    expect([await one.first('count'), await one.first()]).toEqual([5, { key: 'first', count: 5 }]);
    expect(
      await guarded.$client
        .prepare("DELETE FROM counters WHERE key = 'none' RETURNING key")
        .first('key'),
    ).toBeNull();
  });

  it('reads without the right, and does not hide other errors', async () => {
    expect(await failureOf(guarded.insert(counters).values(row('first')))).toMatchObject({
      message: expect.stringContaining('UNIQUE') as unknown,
    });
    holds = false;
    expect(await guarded.select().from(counters)).toEqual([row('first')]);
    expect(await runBatch(guarded, [sql`select 1 as one`])).toEqual([[{ one: 1 }]]);
    expect(await keys()).toEqual(['first']);
  });
});
