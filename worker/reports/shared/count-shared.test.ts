import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { openDb } from '#worker/db/client.ts';
import { makeClick, makeLinks, makeWindow, UA_BOT, UA_IPHONE } from '#worker/testing/clicks.ts';
import { HOP } from '#worker/testing/link-ids.ts';
import { countDays, countLinks, countLists, type SharedSubject } from './count-shared.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const TODAY = dayNumber(NOW);
const USER = 'owner';
const TAG = 7;
const db = openDb(env.DB);
const WEEK = { first: TODAY - 6, last: TODAY };
const LINK: SharedSubject = {
  user_id: USER,
  link: {
    id: 1,
    code: 'link1',
    target: 'https://example.com/1',
    variants: '',
    hasPassword: 0,
    shard: 0,
    created_at: 0,
  },
  tag_id: null,
  period: '7d',
  first_day: null,
  last_day: null,
};

beforeAll(async () => {
  await makeLinks([1, 2], USER);
  await env.DB.batch([
    env.DB.prepare("UPDATE links SET title = 'Second' WHERE id = 2"),
    env.DB.prepare(
      'INSERT INTO link_tags (link_id, tag_id, link_created_at) VALUES (2, ?1, 1)',
    ).bind(TAG),
  ]);
  const many = (count: number, daysAgo: number, facts: Parameters<typeof makeClick>[1]) =>
    Array.from({ length: count }, (_, at) =>
      makeClick(1, { t: NOW - daysAgo * DAY_MS + at, ...facts }),
    );
  const clicks = [
    ...many(5, 1, { k: 'one' }),
    ...many(6, 2, { k: 'two', c: 'DE', g: 'BE', y: 'Berlin', ua: UA_IPHONE }),
    ...many(3, 2, { k: 'two', c: 'DE', y: 'Bonn', ua: UA_IPHONE }),
    ...many(9, 0, { c: 'FR', y: 'Paris' }),
    ...many(1, 3, { ua: UA_BOT }),
    makeClick(2, { t: NOW }),
  ];
  await foldWindows(env.DB, [makeWindow(clicks)], NOW);
});

describe('countLists', () => {
  it('lists each dimension under its own name, and cities with their countries', async () => {
    // Bonn has so few clicks that it would be the rest of its country.
    const names = ['devices', 'cities', 'browsers', 'systems'] as const;
    const lists = await countLists(db, LINK, names, WEEK, NOW);
    expect(lists.map(({ list, rows }) => [list, rows])).toEqual([
      [
        'devices',
        [
          { name: 'Mobile', clicks: 9 },
          { name: 'Desktop', clicks: 5 },
        ],
      ],
      [
        'cities',
        [
          { name: 'Other', country: 'DE', clicks: 9 },
          { name: 'Bengaluru, KA', country: 'IN', clicks: 5 },
        ],
      ],
      [
        'browsers',
        [
          { name: 'Mobile Safari', clicks: 9 },
          { name: 'Chrome', clicks: 5 },
        ],
      ],
      [
        'systems',
        [
          { name: 'iOS', clicks: 9 },
          { name: 'Windows', clicks: 5 },
        ],
      ],
    ]);
  });

  it('the lists of a period that begins today are empty', async () => {
    const today = { first: TODAY, last: TODAY };
    expect(await countLists(db, LINK, ['countries'], today, NOW)).toEqual([
      { list: 'countries', rows: [], other: 0, from: utcDate(NOW), to: utcDate(NOW - DAY_MS) },
    ]);
  });
});

describe('countDays', () => {
  it('counts people, also today, and no day that has bots only', async () => {
    expect(await countDays(db, LINK, WEEK, NOW)).toEqual({
      from: utcDate(NOW - 6 * DAY_MS),
      to: utcDate(NOW),
      totals: { totalClicks: 23, uniqueClicks: 2, activeDays: 3 },
      clicksByDate: {
        [utcDate(NOW - 2 * DAY_MS)]: 9,
        [utcDate(NOW - DAY_MS)]: 5,
        [utcDate(NOW)]: 9,
      },
    });
  });
});

describe('countLinks', () => {
  it('shows titles, and addresses where the owner has chosen them', async () => {
    const tag = { ...LINK, link: null, tag_id: TAG };
    const options = { wanted: WEEK, origins: HOP, now: NOW };
    const [shortUrl, destination] = ['https://hop.example/link2', 'https://example.com/2'];
    const link = { title: 'Second', shortUrl: null, destination: null, clicks: 1 };
    expect(await countLinks(db, tag, [], options)).toEqual([link]);
    expect(await countLinks(db, tag, ['shortUrls'], options)).toEqual([{ ...link, shortUrl }]);
    expect(await countLinks(db, tag, ['destinations'], options)).toEqual([
      { ...link, destination },
    ]);
  });
});
