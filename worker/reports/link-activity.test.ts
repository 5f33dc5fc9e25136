import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LinkActivityResponse } from '#contract/links/link-activity.ts';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { foldByShard } from '#worker/clicks/queue/fold-by-shard.ts';
import { openDb } from '#worker/db/client.ts';
import { openShards } from '#worker/db/shards.ts';
import { call } from '#worker/testing/call.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT } from '#worker/testing/clicks.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { mapShards, withShards } from '#worker/testing/shards.ts';
import { readLinkActivity } from './link-activity.ts';

const now = Date.now();
let owner: Person;

const ask = (ids: string, headers: HeadersInit = owner.headers) =>
  call(`/api/link-activity?ids=${ids}`, { headers });
const activityOf = async (ids: string, headers?: HeadersInit) =>
  (await (await ask(ids, headers)).json<LinkActivityResponse>()).links;

beforeAll(async () => {
  owner = await makePerson();
  await makeLinks([1, 2, 3], owner.id);
  await makeLinks([4], (await makePerson()).id);
  const daysAgo = [9, 6, 6, 1, 0, 0, 0];
  const clicks = daysAgo.map((days) => makeClick(1, { t: now - days * DAY_MS }));
  // One fold a day, as days pass: earlier days move out of the row of the link.
  for (const click of clicks) await foldWindows(env.DB, [makeWindow([click])], click.t);
  const others = [makeClick(3, { t: now, ua: UA_BOT }), makeClick(4, { t: now })];
  await foldWindows(env.DB, [makeWindow(others)], now);
});

describe('GET /api/link-activity', () => {
  it('returns the clicks of people by day, and the time of the last one', async () => {
    expect(await activityOf('1,2,3')).toEqual([
      {
        id: 1,
        clicks: 7,
        days: [2, 0, 0, 0, 0, 1, 3],
        lastClickAt: new Date(now).toISOString(),
      },
      { id: 2, clicks: 0, days: [0, 0, 0, 0, 0, 0, 0], lastClickAt: null },
      { id: 3, clicks: 0, days: [0, 0, 0, 0, 0, 0, 0], lastClickAt: null },
    ]);
  });

  it('[T23] leaves out links of others and deleted ones, also for an administrator', async () => {
    const admin = await makePerson({ role: 'admin' });
    expect(await activityOf('1,4', admin.headers)).toEqual([]);
    await env.DB.prepare(`UPDATE links SET status = 'deleted' WHERE id = 2`).run();
    expect((await activityOf('2,4,1')).map(({ id }) => id)).toEqual([1]);
  });

  it('leaves out the links of a shard that cannot be read', async () => {
    const two = await withShards(2);
    await makeLinks([5], owner.id);
    await env.DB.prepare('UPDATE links SET shard = 1 WHERE id = 5').run();
    const windows = [makeWindow([makeClick(5, { t: now })])];
    await foldByShard(openShards(two), windows, now);
    const found = async (sharded: Partial<Env>) => {
      const response = await call(
        '/api/link-activity?ids=1,5',
        { headers: owner.headers },
        sharded,
      );
      const { links } = await response.json<LinkActivityResponse>();
      return links.map(({ id, clicks }) => [id, clicks]);
    };
    expect(await found(two)).toEqual([
      [1, 7],
      [5, 1],
    ]);
    const broken = mapShards(two, (database, shard) => (shard === 0 ? database : d1Down(database)));
    expect(await found(broken)).toEqual([[1, 7]]);
  });

  it('rejects a list without ids, with too many, or with something else', async () => {
    const many = Array.from({ length: 51 }, () => 1).join(',');
    for (const ids of ['', '0', 'a', '1,,2', '1,', many]) expect((await ask(ids)).status).toBe(400);
  });

  it('reads at most 15 rows a link, which is clicked every day', async () => {
    const links = Array.from({ length: 50 }, (_, at) => 100 + at);
    await makeLinks(links, owner.id);
    for (let days = 9; days >= 0; days--) {
      const t = now - days * DAY_MS;
      await foldWindows(env.DB, [makeWindow(links.map((id) => makeClick(id, { t })))], t);
    }
    const counting = countRowsRead(env.DB);
    const activity = await readLinkActivity(openDb(counting.db), owner.id, links, now);
    expect(activity.every(({ days }) => days.every((clicks) => clicks === 1))).toBe(true);
    console.log(`rows read for the activity of 50 links with clicks daily: ${counting.rowsRead()}`);
    expect(counting.rowsRead()).toBeLessThanOrEqual(50 * 15);
  });
});
