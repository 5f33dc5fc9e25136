import { createMessageBatch, createExecutionContext, env, getQueueResult } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { NEEDED_SCHEMA } from '#worker/db/schema-version.ts';
import { openShards } from '#worker/db/shards.ts';
import { runDueJobs } from '#worker/jobs/schedule.ts';
import { rankLinks } from '#worker/links/list/rank-links.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { readFacts } from '#worker/system/read-facts.ts';
import { evaluateSignals } from '#worker/system/signals.ts';
import { makeKey, send } from '#worker/testing/api-key.ts';
import { call } from '#worker/testing/call.ts';
import { deleteClicks, makeClick, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { databasesOf, mapShards, withShards, type ShardedEnv } from '#worker/testing/shards.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import {
  readLastVerification,
  recomputeTotals,
  verifyTotals,
} from '#worker/clicks/maintenance/verify-totals.ts';
import { aroundD1, d1Down, slow, throwsBefore, type Around } from '#worker/testing/faults.ts';
import { foldByShard } from '#worker/clicks/queue/fold-by-shard.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const LINKS = 6;
const RANGES = ['all', '7d', '90d'] as const;
type Link = { id: number; code: string; shard: number };
/** Leaves a database as it is. */
const direct: Around = (_, run) => run();

/**
 * Delivers windows through the queue's consumer. Returns the number of those that are acknowledged.
 */
async function deliver(
  windows: readonly ClickWindow[],
  sharded: ShardedEnv,
  now = NOW,
): Promise<number> {
  const messages = windows.map((body, i) => ({
    id: String(i),
    timestamp: new Date(now),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch<ClickWindow>('clicks', messages);
  await consumeBatch(batch, sharded, now);
  return (await getQueueResult(batch, createExecutionContext())).explicitAcks.length;
}

/** Creates links through the API, some of them on each database. */
async function createLinks(person: Person, prefix: string, sharded: ShardedEnv): Promise<Link[]> {
  for (let i = 1; i <= LINKS; i++) {
    const json = { longUrl: `https://example.com/${i}`, customCode: `${prefix}-${i}` };
    expect((await call('/api/shorten', { json, headers: person.headers }, sharded)).status).toBe(
      201,
    );
  }
  const { results } = await env.DB.prepare(
    'SELECT id, code, shard FROM links WHERE user_id = ?1 ORDER BY id',
  )
    .bind(person.id)
    .all<Link>();
  return results;
}

async function read(path: string, person: Person, sharded: ShardedEnv): Promise<string> {
  const response = await call(path, { headers: person.headers }, sharded);
  expect(response.status, path).toBe(200);
  return response.text();
}
const clicksOf = async (person: Person, sharded: ShardedEnv): Promise<unknown> => {
  const { urls }: { urls: { click_count: number }[] } = await (
    await call('/api/my-urls', { headers: person.headers }, sharded)
  ).json();
  return urls.map((link) => link.click_count).reverse();
};

/** How many tables of window ids there are. */
async function windowTables(sharded: ShardedEnv): Promise<number> {
  const statement = `SELECT count(*) AS n FROM sqlite_master WHERE name GLOB 'click_windows_[0-9]*'`;
  const found = await Promise.all(
    databasesOf(sharded).map((database) => database.prepare(statement).first<number>('n')),
  );
  return found.reduce<number>((sum, n) => sum + (n ?? 0), 0);
}

/**
 * A year of clicks on the links, more on the later ones, in windows that hold clicks on all of
 * them.
 */
const history = (links: readonly Link[]): ClickWindow[] =>
  [0, 1, 20, 50, 80, 300].map((days) =>
    makeWindow(
      links.flatMap(({ id }, at) => [
        ...Array.from({ length: at + 1 }, (_, i) =>
          makeClick(id, { t: NOW - days * DAY_MS - i * HOUR_MS, k: `v${i}`, r: `r${i}.example` }),
        ),
        makeClick(id, { t: NOW - days * DAY_MS, ua: UA_BOT }),
      ]),
    ),
  );

let three: ShardedEnv;
beforeEach(async () => {
  three = await withShards(3);
  await Promise.all(databasesOf(three).map((database) => deleteClicks(database)));
  await env.DB.batch([env.DB.prepare('DELETE FROM links'), env.DB.prepare('DELETE FROM counters')]);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  return () => vi.useRealTimers();
});

describe('three databases with clicks', () => {
  it('three databases give the same answers as one, after all jobs as well', async () => {
    const answersOf = async (
      sharded: ShardedEnv,
    ): Promise<{ texts: string[]; shards: Set<number> }> => {
      const { person, ...key } = await makeKey();
      const admin = await makePerson({ role: 'admin' });
      const prefix = `l${person.id.slice(0, 6)}`;
      const links = await createLinks(person, prefix, sharded);
      const windows = history(links);
      for (const window of windows) {
        // Every database recognizes the windows that it has counted.
        for (let delivery = 0; delivery < 2; delivery++)
          expect(await deliver([window], sharded, window.e[0]?.t)).toBe(1);
      }
      await rankLinks(sharded, NOW);
      const readAll = async (): Promise<string[]> => [
        await read('/api/my-urls?sort=clicks&order=desc', person, sharded),
        await read('/api/my-urls?min_clicks=20', person, sharded),
        await read(`/api/links/${prefix}-3`, person, sharded),
        ...(await Promise.all(
          ['30d', '90d'].map((range) => read(`/api/analytics?range=${range}`, person, sharded)),
        )),
        ...(await Promise.all(
          links.map(({ code }, at) =>
            read(`/api/analytics/${code}?range=${RANGES[at % RANGES.length]}`, person, sharded),
          ),
        )),
        await read(
          `/api/analytics/${prefix}-4?range=all&filter=referrer:r2.example`,
          person,
          sharded,
        ),
        await read('/api/account/links.csv', person, sharded),
        await read(`/api/admin?action=urls&owner=${person.id}`, admin, sharded),
        ...(await Promise.all(
          ['/links?limit=50', '/analytics?range=90d', '/analytics/clicks?groupBy=referrer'].map(
            async (path) => (await send(key, `GET ${path}`, {}, sharded)).text(),
          ),
        )),
      ];
      const before = await readAll();
      expect(await windowTables(sharded)).toBeGreaterThan(0);
      for (const job of [closeMonths, deleteExpiredData, verifyTotals]) await job(sharded, NOW);
      expect(await readLastVerification(openShards(sharded))).toMatchObject({
        ok: true,
        links: LINKS,
        clicks: { now: 42, before: 21 },
      });
      const after = await readAll();
      expect(after).toEqual(before);
      await deleteExpiredData(sharded, NOW + 16 * DAY_MS);
      expect(await windowTables(sharded)).toBe(0);
      // Ids and codes are the only difference.
      const named = before
        .join('\n')
        .replaceAll(prefix, 'code')
        .replaceAll(person.id, 'me')
        .replaceAll(person.email, 'mail');
      const text = named.replaceAll(/"(?:id|linkId)":"?(?:\d+|lnk_\w+)"?/g, 'id');
      await env.DB.prepare('DELETE FROM links').run();
      return { texts: text.split(/},|\n/), shards: new Set(links.map(({ shard }) => shard)) };
    };
    const sharded = await answersOf(three);
    expect(sharded.shards).toEqual(new Set([0, 1, 2]));
    await Promise.all(databasesOf(three).map((database) => deleteClicks(database)));
    const single = await answersOf(await withShards(1));
    expect(single.shards).toEqual(new Set([0]));
    expect(sharded.texts).toEqual(single.texts);
    expect(sharded.texts.join('')).toContain('"click_count":36');
  });

  it('a window that one database failed to count is counted when it comes again', async () => {
    const me = await makePerson();
    const links = await createLinks(me, 'fault', three);
    const windows = [makeWindow(links.map(({ id }) => makeClick(id, { t: NOW })))];
    const broken = mapShards(three, (database, shard) =>
      shard === 1 ? d1Down(database) : database,
    );
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await deliver(windows, broken)).toBe(0);
    const onBroken = links.map(({ shard }) => (shard === 1 ? 0 : 1));
    expect(await clicksOf(me, three)).toEqual(onBroken);
    // The list is shown while a database fails, with what was known an hour ago at most.
    expect(await clicksOf(me, broken)).toEqual(onBroken);
    expect(await deliver(windows, three)).toBe(1);
    expect(await clicksOf(me, three)).toEqual(links.map(() => 1));
    await rankLinks(three, NOW);
    expect(await clicksOf(me, broken)).toEqual(links.map(() => 1));
    vi.restoreAllMocks();
  });

  it('a fold that one database fails ends when the others have counted', async () => {
    const links = await createLinks(await makePerson(), 'slow', three);
    const windows = [makeWindow(links.map(({ id }) => makeClick(id, { t: NOW })))];
    const broken = mapShards(three, (database, shard) =>
      aroundD1(database, shard === 1 ? throwsBefore('D1 failed') : shard === 2 ? slow(50) : direct),
    );
    await expect(foldByShard(openShards(broken), windows, NOW)).rejects.toThrow('D1 failed');
    const counted = await Promise.all(
      databasesOf(three).map((database) =>
        database.prepare('SELECT count(*) AS n FROM link_totals').first('n'),
      ),
    );
    const linksOf = (shard: number) => links.filter((link) => link.shard === shard).length;
    expect(counted).toEqual([linksOf(0), 0, linksOf(2)]);
  });

  it('a missing binding never counts a click elsewhere', async () => {
    const me = await makePerson();
    const links = await createLinks(me, 'gone', three);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const windows = [makeWindow(links.map(({ id }) => makeClick(id, { t: NOW })))];
    for (const count of [1, 2]) expect(await deliver(windows, await withShards(count))).toBe(0);
    expect(await deliver(windows, three)).toBe(1);
    expect(await clicksOf(me, three)).toEqual(links.map(() => 1));
    vi.restoreAllMocks();
  });

  it('new links go to databases as CLICKS_SHARDS says, which names only bound ones', async () => {
    const me = await makePerson();
    for (const [names, shards] of [
      ['CLICKS_2', [2]],
      ['DB, CLICKS_1', [0, 1]],
      ['CLICKS_9', [0]],
      ['CLICKS_01 CLICKS_2', [2]],
    ] as const) {
      const prefix = `s${names.replaceAll(/\D/g, '')}-${shards.length}`;
      const links = await createLinks(me, prefix, { ...three, CLICKS_SHARDS: names });
      const made = links.filter(({ code }) => code.startsWith(`${prefix}-`));
      expect(new Set(made.map(({ shard }) => shard)), names).toEqual(new Set(shards));
    }
  });

  it('a database is repaired where its totals differ from its counts', async () => {
    const links = await createLinks(await makePerson(), 'wrong', three);
    await deliver([makeWindow(links.map(({ id }) => makeClick(id, { t: NOW })))], three);
    const db = openShards(three);
    for (const database of databasesOf(three))
      await database.prepare('UPDATE link_totals SET human = 9').run();
    await verifyTotals(three, NOW);
    expect((await readLastVerification(db))?.drift).toHaveLength(LINKS);
    expect(await recomputeTotals(db, NOW)).toMatchObject({ repaired: LINKS, proof: { ok: true } });
  });

  it('three databases share the statements of a cron invocation', async () => {
    let statements = 0;
    const counted = mapShards(
      three,
      (database) =>
        new Proxy(database, {
          get(target, name) {
            if (name === 'prepare') statements++;
            const value: unknown = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    );
    const endless = {
      name: 'endless',
      everyMs: MINUTE_MS,
      run: async (given: Env, _now: number, budget: { canContinue: () => boolean }) => {
        while (budget.canContinue())
          for (const { $client } of databasesOf(given).map((one) => ({ $client: one })))
            await $client.prepare('SELECT 1').run();
        return {};
      },
    };
    await runDueJobs(counted, NOW, [endless]);
    expect(statements).toBeGreaterThan(100);
    expect(statements).toBeLessThan(300);
  });
});

describe('readiness', () => {
  const badSignals = async (sharded: ShardedEnv) =>
    evaluateSignals((await readFacts(sharded, NOW, true)).facts).filter(
      ({ state, signal }) => state === 'bad' && signal !== 'backup',
    );

  it('readiness names a database that is silent, unmigrated or almost full', async () => {
    expect(await badSignals(three)).toEqual([]);
    const broken = mapShards(three, (database, shard) =>
      shard === 2 ? d1Down(database) : database,
    );
    expect(await badSignals(broken)).toMatchObject([
      { signal: 'database', sentence: expect.stringContaining('CLICKS_2') },
    ]);
    expect(await badSignals({ ...three, DATABASE_LIMIT_MB: '0.01' })).toMatchObject([
      { signal: 'size' },
    ]);
    const second = databasesOf(three)[1];
    await second
      ?.prepare(`UPDATE d1_migrations SET name = '0001' WHERE name = ?1`)
      .bind(`${NEEDED_SCHEMA}.sql`)
      .run();
    expect(await badSignals(three)).toMatchObject([
      { signal: 'schema', sentence: expect.stringMatching(/^CLICKS_1 has 00/) },
    ]);
    await second
      ?.prepare(`UPDATE d1_migrations SET name = ?1 WHERE name = '0001'`)
      .bind(`${NEEDED_SCHEMA}.sql`)
      .run();
  });
});
