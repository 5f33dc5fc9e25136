import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { LIVE_CLICKS_MAX, type LiveClicksResponse } from '#contract/reports/live-clicks.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { foldByShard } from '#worker/clicks/queue/fold-by-shard.ts';
import { openDb } from '#worker/db/client.ts';
import { openShards } from '#worker/db/shards.ts';
import { recordLargeAccounts } from '#worker/links/list/account-totals.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { fillAccount } from '#worker/testing/large-account.ts';
import { makeDomain } from '#worker/testing/domains.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { mapShards, withShards } from '#worker/testing/shards.ts';
import { readLiveClicks } from './live-clicks.ts';

const now = Date.now();
let owner: Person;

const live = async ({ headers }: Person): Promise<LiveClicksResponse> =>
  (await call('/api/overview/clicks', { headers })).json();
const fold = (...clicks: ReturnType<typeof makeClick>[]) =>
  foldWindows(env.DB, [makeWindow(clicks)], now);

async function readCounting(userId: string) {
  const counting = countRowsRead(env.DB);
  const options = { userId, domain: null, origins: HOP, now };
  const result = await readLiveClicks(openDb(counting.db), options);
  return { ...result, rowsRead: counting.rowsRead() };
}

beforeAll(async () => {
  owner = await makePerson();
  await makeLinks([1, 2, 3], owner.id);
  await makeLinks([4], (await makePerson()).id);
  await fold(
    makeClick(1, { t: now - 2 * MINUTE_MS, c: 'DE', r: 'www.news.example' }),
    makeClick(2, { t: now - MINUTE_MS, c: '' }),
    makeClick(2, { t: now - 11 * MINUTE_MS }),
    makeClick(2, { t: now, ua: UA_BOT }),
    makeClick(3, { t: now }),
    makeClick(4, { t: now }),
  );
  await env.DB.prepare(`UPDATE links SET status = 'deleted' WHERE id = 3`).run();
  await env.DB.prepare(`UPDATE links SET archived = 1 WHERE id = 1`).run();
});

describe('GET /api/overview/clicks', () => {
  it('[T23] lists the clicks of people of the last minutes on the member’s links', async () => {
    const { clicks, ...rest } = await live(owner);
    expect(clicks).toEqual([
      {
        clickedAt: new Date(now - MINUTE_MS).toISOString(),
        country: 'Unknown',
        code: 'link2',
        shortUrl: 'http://localhost:8787/link2',
      },
      expect.objectContaining({ country: 'DE', code: 'link1' }),
    ]);
    expect(rest).toEqual({ complete: true, refreshSeconds: 5 });
  });

  it('returns the source with advanced analytics only', async () => {
    expect((await live(owner)).clicks[1]?.referrer).toBeUndefined();
    await env.DB.prepare(`UPDATE subscriptions SET plan = 'premium' WHERE user_id = ?`)
      .bind(owner.id)
      .run();
    expect((await live(owner)).clicks.map(({ referrer }) => referrer)).toEqual([
      'Direct',
      'news.example',
    ]);
  });

  it('limits the list to the links on a domain, or on the own short host', async () => {
    const person = await makePerson();
    const host = 'go.live.test-host.com';
    const id = await makeDomain(host, { owner: person.id });
    await makeLinks([30, 31], person.id);
    await env.DB.prepare(`UPDATE links SET code = ?1 WHERE id = 31`).bind(`${id}/sale`).run();
    await fold(makeClick(30, { t: now }), makeClick(31, { t: now }));
    const liveOn = async (domain: string) => {
      const path = `/api/overview/clicks?domain=${domain}`;
      const response = await call(path, { headers: person.headers });
      const { clicks, complete } = await response.json<LiveClicksResponse>();
      return [complete, ...clicks.map(({ shortUrl: url }) => url)];
    };
    expect(await liveOn(host)).toEqual([true, `http://${host}:8787/sale`]);
    expect(await liveOn('')).toEqual([true, 'http://localhost:8787/link30']);
    expect(await liveOn('go.unknown.test-host.com')).toEqual([true]);
  });

  it('says that there may be more clicks than it lists', async () => {
    const busy = await makePerson();
    await makeLinks([10, 11], busy.id);
    const clicksOn = (link: number, count: number) =>
      Array.from({ length: count }, (_, i) => makeClick(link, { t: now - i * 1_000 }));
    await fold(...clicksOn(10, 30), ...clicksOn(11, 20));
    expect(await live(busy)).toMatchObject({ complete: true, clicks: { length: 50 } });
    await fold(...clicksOn(10, 1));
    const more = await live(busy);
    expect([more.complete, more.clicks.length]).toEqual([false, LIVE_CLICKS_MAX]);
    const hot = await makePerson();
    await makeLinks([12], hot.id);
    await fold(...clicksOn(12, 50));
    expect((await live(hot)).complete).toBe(false);
  });

  it('leaves out the links of a shard that cannot be read, and says so', async () => {
    const two = await withShards(2);
    const person = await makePerson();
    await makeLinks([20, 21], person.id);
    await env.DB.prepare('UPDATE links SET shard = 1 WHERE id = 21').run();
    await foldByShard(
      openShards(two),
      [makeWindow([makeClick(20, { t: now }), makeClick(21, { t: now })])],
      now,
    );
    const codesOf = async (sharded: Partial<Env>) => {
      const response = await call('/api/overview/clicks', { headers: person.headers }, sharded);
      const { clicks, complete }: LiveClicksResponse = await response.json();
      return [complete, ...clicks.map(({ code }) => code).toSorted()];
    };
    expect(await codesOf(two)).toEqual([true, 'link20', 'link21']);
    const broken = mapShards(two, (database, shard) => (shard === 0 ? database : d1Down(database)));
    expect(await codesOf(broken)).toEqual([false, 'link20']);
  });

  it('[T27] limits the requests of a member', async () => {
    const keys: string[] = [];
    const LIMIT_MISSES = {
      limit: ({ key }: RateLimitOptions) => (keys.push(key), Promise.resolve({ success: false })),
    };
    const { headers } = owner;
    const limited = await call('/api/overview/clicks', { headers }, { LIMIT_MISSES });
    expect([limited.status, keys]).toEqual([429, [`live:${owner.id}`]]);
  });

  it('reads at most three rows a link in an account of 100 links', async () => {
    const small = await makePerson();
    const ids = Array.from({ length: 100 }, (_, i) => 200 + i);
    await makeLinks(ids, small.id);
    await fold(...ids.map((id) => makeClick(id, { t: now - 60 * MINUTE_MS })));
    const { rowsRead, refreshSeconds: refresh } = await readCounting(small.id);
    console.log(`rows read for the live clicks of 100 links: ${rowsRead}`);
    expect([rowsRead <= 310, refresh]).toEqual([true, 5]);
    await makeLinks([300], small.id);
    expect((await readCounting(small.id)).refreshSeconds).toBe(30);
  });

  it('reads as many rows in an account of 20,000 links as in one of 10,000', async () => {
    const rows: number[] = [];
    for (const [links, prefix] of [
      [10_000, 'a'],
      [20_000, 'b'],
    ] as const) {
      const { id } = await makePerson();
      for (const { query, params } of fillAccount(id, links, prefix))
        await env.DB.prepare(query)
          .bind(...params)
          .run();
      await openDb(env.DB).run(recordLargeAccounts(0));
      const newest = await env.DB.prepare('SELECT max(id) AS id FROM links').first<number>('id');
      await fold(makeClick(newest ?? 0, { t: now }));
      // An archived link is found by the time of its last click.
      const clicked = await env.DB.prepare(
        `UPDATE links SET archived = 1, ranked_last_click_at = ?1
         WHERE id = (SELECT min(id) FROM links WHERE user_id = ?2) RETURNING id`,
      )
        .bind(now, id)
        .first<number>('id');
      await fold(makeClick(clicked ?? 0, { t: now }));
      const { rowsRead, ...result } = await readCounting(id);
      expect(result).toMatchObject({ clicks: { length: 2 }, complete: false, refreshSeconds: 30 });
      rows.push(rowsRead);
    }
    console.log(`rows read for the live clicks of a large account: ${rows.join(', ')}`);
    expect(Math.max(...rows)).toBeLessThanOrEqual(1_050);
    expect(rows[1]).toBeLessThanOrEqual((rows[0] ?? 0) + 20);
  });
});
