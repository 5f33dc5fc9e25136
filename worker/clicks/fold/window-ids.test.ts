import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#contract/time.ts';
import { deleteClicks, makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { foldWindows } from './fold-windows.ts';
import { windowKey } from './window-ids.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const TODAY = Date.UTC(2026, 10, 20) / DAY_MS;
const windowsOf = (count: number, link: number, t = NOON) =>
  Array.from({ length: count }, (_, i) => makeWindow([makeClick(link, { t })], `w${link}.${i}`));
const keysOf = async (link: number): Promise<string[]> =>
  JSON.parse(
    (await env.DB.prepare('SELECT window_ids FROM link_totals WHERE link_id = ?')
      .bind(link)
      .first<string>('window_ids')) ?? '[]',
  );
const rowsOfDay = async (day = TODAY) =>
  (await env.DB.prepare(`SELECT id FROM click_windows_${day} ORDER BY id`).all()).results.map(
    ({ id }) => id,
  );
const clicks = async () =>
  (await env.DB.prepare('SELECT sum(human) AS n FROM link_totals').first('n')) ?? 0;

beforeEach(async () => {
  await deleteClicks();
  await makeLinks([1, 2]);
});

describe('ids of counted windows', () => {
  it('window ids are stored with the link, and in the day’s table beyond 40', async () => {
    const windows = windowsOf(45, 1);
    for (const some of [windows.slice(0, 38), windows.slice(38)])
      await foldWindows(env.DB, some, NOON);
    expect(await keysOf(1)).toEqual(windows.slice(0, 40).map(({ id }) => `${TODAY}.${id}`));
    expect(await rowsOfDay()).toEqual(['w1.40', 'w1.41', 'w1.42', 'w1.43', 'w1.44']);
    expect(await foldWindows(env.DB, windows, NOON)).toMatchObject({
      clicks: 0,
      windows: 0,
      rowsWritten: 0,
    });
    expect(await clicks()).toBe(45);
  });

  it('window ids are stored with one of the links of a window, whichever has room', async () => {
    await foldWindows(env.DB, windowsOf(40, 1), NOON);
    const both = makeWindow([makeClick(1), makeClick(77), makeClick(2)], 'both');
    await foldWindows(env.DB, [both], NOON);
    expect(await keysOf(2)).toEqual([`${TODAY}.both`]);
    expect(await rowsOfDay()).toEqual([]);
    await Promise.all([1, 2, 3].map(() => foldWindows(env.DB, [both], NOON)));
    expect(await clicks()).toBe(42);
  });

  it('the key of a window has the day of its first click, in whatever order they are', () => {
    const midnight = TODAY * DAY_MS;
    const clicksOf = (times: number[]) => times.map((t) => makeClick(1, { t }));
    for (const times of [
      [midnight - 1, midnight],
      [midnight, midnight - 1, midnight + 1],
    ])
      expect(windowKey(makeWindow(clicksOf(times), 'w'))).toBe(`${TODAY - 1}.w`);
  });

  it('a table of ids that is gone after a restore is created again', async () => {
    await foldWindows(env.DB, windowsOf(41, 1), NOON);
    await env.DB.prepare(`DROP TABLE click_windows_${TODAY}`).run();
    expect(await foldWindows(env.DB, windowsOf(1, 2), NOON)).toMatchObject({ clicks: 1 });
    expect(await rowsOfDay()).toEqual([]);
  });

  it('ids of counted windows make room after 15 days', async () => {
    await foldWindows(env.DB, windowsOf(40, 1, NOON - 16 * DAY_MS), NOON - 16 * DAY_MS);
    await foldWindows(env.DB, windowsOf(1, 1, NOON - 15 * DAY_MS), NOON - 15 * DAY_MS);
    await foldWindows(env.DB, windowsOf(1, 1), NOON);
    // The second one had no room, and its table is kept.
    expect(await keysOf(1)).toEqual([`${TODAY}.w1.0`]);
    expect(await rowsOfDay(TODAY - 15)).toEqual(['w1.0']);
  });
});
