import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  storedDays,
  UA_BOT,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import type { Dim } from './counts.ts';
import { foldWindows } from './fold-windows.ts';
import { aroundD1, countBatches, throwsAfter } from '#worker/testing/faults.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const TODAY = Date.UTC(2026, 10, 20) / DAY_MS;

beforeEach(async () => {
  await deleteClicks();
  await makeLinks([1, 2, 3]);
});

const snapshot = async () =>
  JSON.stringify(await Promise.all(['link_totals', 'link_months'].map(rowsOf)));
/** The days of link 1, with maps as objects. */
const days = async () =>
  (await storedDays())
    .filter(({ link }) => link === 1)
    .map(({ day, counts }) => {
      const [hours, seen, places, agents, refs] = [
        counts.times,
        counts.seen,
        counts.place,
        counts.agent,
        counts.ref,
      ].map((map) => Object.fromEntries(map));
      const { human, bot, prefetch, visitors } = counts;
      return { day, human, bot, prefetch, visitors, hours, seen, places, agents, refs };
    });
const totals = () =>
  env.DB.prepare(
    'SELECT human, bot, prefetch, visitors FROM link_totals WHERE link_id = 1',
  ).first();

describe('classes of clicks', () => {
  it('[T36] humans, bots and prefetches count apart, dimensions for humans only', async () => {
    const clicks = [
      makeClick(1, { k: 'a', r: 'news.example' }),
      makeClick(1, { k: 'a', t: NOON + HOUR_MS }),
      makeClick(1, { k: 'b', ua: UA_IPHONE, t: NOON + 5 }),
      makeClick(1, { ua: UA_BOT, k: 'c' }),
      makeClick(1, { ua: '', k: 'd' }),
      makeClick(1, { p: 1, k: 'e' }),
    ];
    expect(await foldWindows(env.DB, [makeWindow(clicks)], NOON)).toMatchObject({
      clicks: 6,
      windows: 1,
    });
    expect(await days()).toEqual([
      {
        day: TODAY,
        human: 3,
        bot: 2,
        prefetch: 1,
        visitors: 2,
        hours: { 12: 2, '12b': 2, '12p': 1, 13: 1 },
        seen: { 12: 2 },
        places: { 'IN|KA|Bengaluru': 3 },
        agents: { 'Desktop|Chrome|Windows': 2, 'Mobile|Mobile Safari|iOS': 1 },
        refs: { 'news.example': 1, '': 2 },
      },
    ]);
    expect(await rowsOf('link_totals')).toMatchObject([
      {
        link_id: 1,
        human: 3,
        bot: 2,
        prefetch: 1,
        visitors: 2,
        first_at: NOON,
        last_at: NOON + HOUR_MS,
      },
    ]);
  });

  it('[T36] a bot that prefetches counts as a prefetch, not as a bot', async () => {
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(1, { p: 1, ua: UA_BOT, k: 'a' }), makeClick(1, { p: 1, k: 'a' })])],
      NOON,
    );
    expect(await totals()).toEqual({ human: 0, bot: 0, prefetch: 2, visitors: 0 });
    expect(await days()).toMatchObject([{ hours: {}, places: {}, agents: {}, refs: {} }]);
    expect(await rowsOf('link_totals')).toMatchObject([
      { first_at: null, last_at: null, recent: '[]', visitor_sets: '{}' },
    ]);
  });
});

describe.each(['in tables', 'with links'])(
  'a window whose id is stored %s is counted once',
  (place) => {
    beforeEach(async () => {
      // A link with 40 ids has no room for another.
      const full = Array.from(
        { length: place === 'in tables' ? 40 : 0 },
        (_, i) => `${TODAY}.${i}`,
      );
      await env.DB.prepare('INSERT INTO link_totals (link_id, window_ids) VALUES (1, ?1), (2, ?1)')
        .bind(JSON.stringify(full))
        .run();
    });
    const window = makeWindow([makeClick(1, { k: 'a' }), makeClick(2, { k: 'a' })], 'w1');

    it('a window counts once when it is delivered again, alone or with new ones', async () => {
      await foldWindows(env.DB, [window], NOON);
      const before = await snapshot();
      expect(await foldWindows(env.DB, [window], NOON + 1)).toMatchObject({
        clicks: 0,
        windows: 0,
      });
      expect(await snapshot()).toBe(before);
      const other = makeWindow([makeClick(1, { k: 'b' })], 'w2');
      expect(await foldWindows(env.DB, [window, other], NOON + 2)).toMatchObject({
        clicks: 1,
        windows: 1,
      });
      expect(await totals()).toEqual({ human: 2, bot: 0, prefetch: 0, visitors: 2 });
    });

    it('a window counts once when it comes twice in one batch or in parallel batches', async () => {
      await foldWindows(env.DB, [window, structuredClone(window)], NOON);
      await Promise.all(
        [1, 2, 3].map(() => foldWindows(env.DB, [makeWindow([makeClick(1)], 'same')], NOON)),
      );
      expect(await totals()).toEqual({ human: 2, bot: 0, prefetch: 0, visitors: 1 });
    });

    it('a window counts once when it is retried after a commit with a lost response', async () => {
      const lost = throwsAfter('Network connection lost.');
      const lossy = aroundD1(env.DB, (name, run) =>
        name === 'd1.batch' ? lost(name, run) : run(),
      );
      await expect(foldWindows(lossy, [window], NOON)).rejects.toThrow('Network');
      await foldWindows(env.DB, [window], NOON);
      expect(await totals()).toEqual({ human: 1, bot: 0, prefetch: 0, visitors: 1 });
    });

    it('a window counts once when other windows of its link are folded at the time', async () => {
      const others = Array.from({ length: 8 }, (_, i) =>
        makeWindow([makeClick(1, { k: `v${i}`, r: `r${i}.example` })]),
      );
      const results = await Promise.all(
        [...others, others[0] ?? window].map((one) => foldWindows(env.DB, [one], NOON)),
      );
      expect(results.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(8);
      expect(await totals()).toEqual({ human: 8, bot: 0, prefetch: 0, visitors: 8 });
      const [day] = await days();
      expect(day).toMatchObject({ human: 8, visitors: 8, hours: { 12: 8 } });
      expect(Object.keys(day?.refs ?? {})).toHaveLength(8);
    });

    it('a window counts once after a failed batch, which leaves no rows', async () => {
      await foldWindows(env.DB, [makeWindow([makeClick(1)])], NOON);
      const before = await snapshot();
      await env.DB.prepare(
        `CREATE TRIGGER no_totals BEFORE UPDATE ON link_totals BEGIN SELECT raise(ABORT, 'no'); END`,
      ).run();
      const next = makeWindow([makeClick(1, { k: 'z' })]);
      const { db, batches } = countBatches(env.DB);
      await expect(foldWindows(db, [next], NOON)).rejects.toThrow('no');
      await env.DB.prepare('DROP TRIGGER no_totals').run();
      // It reads, fails to write, and sees that no other fold was the reason.
      expect(batches).toHaveLength(3);
      expect(await snapshot()).toBe(before);
      expect(await foldWindows(env.DB, [next], NOON)).toMatchObject({ windows: 1 });
    });
  },
);

describe('rows of a fold', () => {
  it('a visitor counts once per link and day, across windows and batches', async () => {
    await foldWindows(
      env.DB,
      [
        makeWindow([makeClick(1, { k: 'a' })]),
        makeWindow([makeClick(1, { k: 'a', t: NOON - HOUR_MS })]),
      ],
      NOON,
    );
    await foldWindows(
      env.DB,
      [
        makeWindow([
          makeClick(1, { k: 'a' }),
          makeClick(1, { k: 'a', t: NOON + DAY_MS }),
          makeClick(1),
        ]),
      ],
      NOON,
    );
    expect(await totals()).toEqual({ human: 5, bot: 0, prefetch: 0, visitors: 2 });
    expect(await days()).toMatchObject([
      { day: TODAY, human: 4, visitors: 1, hours: { 11: 1, 12: 3 }, seen: { 11: 1 } },
      { day: TODAY + 1, human: 1, visitors: 1 },
    ]);
  });

  it('an unknown link writes nothing, and clicks of a deleted link count', async () => {
    await env.DB.prepare(`UPDATE links SET status = 'deleted' WHERE id = 2`).run();
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(77, { k: 'a' }), makeClick(2, { k: 'a' }), makeClick(1)])],
      NOON,
    );
    expect(await rowsOf('link_totals')).toMatchObject([
      { link_id: 1, human: 1, visitors: 0 },
      { link_id: 2, human: 1, visitors: 1 },
    ]);
  });

  it('the first and the last time and recent clicks stay, whatever is folded later', async () => {
    const times = () =>
      env.DB.prepare(
        'SELECT first_at, last_at, json_array_length(recent) AS recent FROM link_totals',
      ).first();
    for (const t of [NOON, NOON + HOUR_MS, NOON - HOUR_MS])
      await foldWindows(env.DB, [makeWindow([makeClick(1, { t })])], NOON);
    expect(await times()).toEqual({ first_at: NOON - HOUR_MS, last_at: NOON + HOUR_MS, recent: 3 });
    await foldWindows(env.DB, [makeWindow([makeClick(1, { t: NOON + DAY_MS, ua: UA_BOT })])], NOON);
    expect(await times()).toEqual({ first_at: NOON - HOUR_MS, last_at: NOON + HOUR_MS, recent: 3 });
  });

  it('unknown countries, XX and T1 are stored as empty', async () => {
    const clicks = ['XX', 'T1', '', 'DE'].map((c) => makeClick(1, { c, g: '', y: '' }));
    await foldWindows(env.DB, [makeWindow(clicks)], NOON);
    expect(await days()).toMatchObject([{ places: { 'DE||': 1, '||': 3 } }]);
  });
});

describe('values beyond the cap', () => {
  const refs = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) =>
      makeClick(1, {
        r: `r${from + i}.example`,
        y: `City ${from + i}`,
        c: (from + i) % 2 ? 'US' : 'IN',
      }),
    );
  const read = async (dim: Dim) =>
    (await storedDays())
      .flatMap(({ counts }) => [...counts[dim]].map(([val, n]) => ({ val, n })))
      .sort((a, b) => (a.val < b.val ? -1 : 1));

  it.each([
    ['one batch', [400]],
    ['batches that end at the caps', [99, 100, 101, 149, 150, 151, 400]],
  ])('values beyond the cap are counted under their overflow value, in %s', async (_, ends) => {
    let from = 0;
    for (const to of ends) {
      await foldWindows(env.DB, [makeWindow(refs(from, to))], NOON);
      from = to;
    }
    const ref = await read('ref');
    expect(ref.length).toBe(101);
    expect(ref.find((row) => row.val === 'Other')?.n).toBe(300);
    const place = await read('place');
    expect(place.filter((row) => !row.val.endsWith('||Other')).length).toBe(150);
    for (const rows of [ref, place]) expect(rows.reduce((sum, row) => sum + row.n, 0)).toBe(400);
    const us = place
      .filter((row) => row.val.startsWith('US|'))
      .reduce((sum, row) => sum + row.n, 0);
    expect(us).toBe(200);
  });

  it('values beyond the cap leave room for stored ones, and the next day starts empty', async () => {
    await foldWindows(env.DB, [makeWindow(refs(0, 400))], NOON);
    await foldWindows(env.DB, [makeWindow([...refs(0, 1), ...refs(500, 501)])], NOON);
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(1, { r: 'late.example', t: NOON + DAY_MS })])],
      NOON,
    );
    const ref = await read('ref');
    expect(ref.find((row) => row.val === 'r0.example')?.n).toBe(2);
    expect(ref.find((row) => row.val === 'Other')?.n).toBe(301);
    expect(ref.find((row) => row.val === 'late.example')?.n).toBe(1);
  });

  it('the overflow row takes no room from a stored value', async () => {
    await foldWindows(
      env.DB,
      [makeWindow([makeClick(1, { g: '', y: 'Other', r: 'Other' })])],
      NOON,
    );
    await foldWindows(env.DB, [makeWindow(refs(0, 100))], NOON);
    expect(await read('ref')).toContainEqual({ val: 'Other', n: 1 });
    expect((await read('ref')).length).toBe(101);
    await foldWindows(env.DB, [makeWindow(refs(100, 150))], NOON);
    const place = await read('place');
    expect(place.length).toBe(151);
    expect(place).toContainEqual({ val: 'IN||Other', n: 1 });
    await foldWindows(env.DB, [makeWindow(refs(150, 153))], NOON);
    expect((await read('place')).filter((row) => row.val.endsWith('||Other'))).toEqual([
      { val: 'IN||Other', n: 3 },
      { val: 'US||Other', n: 1 },
    ]);
    expect(await read('ref')).toContainEqual({ val: 'Other', n: 54 });
  });

  it('new overflow clicks take no room from a new value', async () => {
    const other = makeClick(1, { r: 'Other' });
    await foldWindows(env.DB, [makeWindow([other, other, ...refs(0, 100)])], NOON);
    const ref = await read('ref');
    expect(ref.length).toBe(101);
    expect(ref).toContainEqual({ val: 'Other', n: 2 });
  });

  it('the most frequent values are kept when several are new', async () => {
    const rare = refs(0, 120);
    const frequent = [...refs(900, 930), ...refs(900, 930)];
    await foldWindows(env.DB, [makeWindow([...rare, ...frequent])], NOON);
    const ref = await read('ref');
    for (let i = 900; i < 930; i++) expect(ref).toContainEqual({ val: `r${i}.example`, n: 2 });
    expect(ref).toContainEqual({ val: 'Other', n: 50 });
  });

  it('the device type of an agent is kept, and 60 agents a day', async () => {
    const systems = [
      'Windows NT 10.0',
      'Macintosh; Intel Mac OS X 10_15_7',
      'X11; Ubuntu',
      'X11; Fedora',
      'X11; CrOS x86_64 1.0',
    ];
    const browsers = [
      'Chrome',
      'Firefox',
      'OPR',
      'Edg',
      'Vivaldi',
      'YaBrowser',
      'Falkon',
      'QupZilla',
      'Epiphany',
      'SeaMonkey',
      'Waterfox',
      'PaleMoon',
      'Basilisk',
      'Maxthon',
      'Iron',
    ];
    const clicks = systems.flatMap((system) =>
      browsers.map((browser) => makeClick(1, { ua: `Mozilla/5.0 (${system}) ${browser}/100.0` })),
    );
    await foldWindows(env.DB, [makeWindow(clicks)], NOON);
    const agents = await read('agent');
    const overflow = agents.filter((row) => row.val.endsWith('|Other|Other'));
    expect(agents.length - overflow.length).toBe(60);
    expect(overflow).toEqual([{ val: 'Desktop|Other|Other', n: 15 }]);
  });
});

describe('hostile values', () => {
  it('hostile values are stored without separators, controls and lone surrogates', async () => {
    await foldWindows(
      env.DB,
      [
        makeWindow([
          makeClick(1, {
            c: 'zz;',
            g: 'a|b\u0000',
            u: 'mail\u0000|email|spring',
            y: '\ud800é'.repeat(500),
            r: `x${'y'.repeat(400)}`,
          }),
        ]),
      ],
      NOON,
    );
    const [day] = await storedDays();
    expect([...(day?.counts.place.keys() ?? [])]).toEqual([`|a b |${' é'.repeat(40)}`]);
    expect([...(day?.counts.utm.keys() ?? [])]).toEqual(['mail |email|spring']);
    expect([...(day?.counts.ref.keys() ?? [])].map((ref) => ref.length)).toEqual([80]);
  });
});
