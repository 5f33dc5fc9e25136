import { DAY_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { readRecentClicks } from '#worker/reports/panels.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { deleteClicks, makeClick, makeLinks, makeWindow } from '#worker/testing/clicks.ts';
import { foldWindows } from './fold-windows.ts';
import { newestClicks, type StoredRecentClick } from './recent-clicks.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

beforeEach(async () => {
  await deleteClicks();
  await makeLinks([1]);
});

/** The times of link 1's recent clicks. */
const recentTimes = async () => {
  const { results } = await env.DB.prepare(
    'SELECT value->>0 AS t FROM link_totals, json_each(recent) WHERE link_id = 1',
  ).all();
  return results.map((row) => row['t']);
};

describe('recent clicks', () => {
  it('recent clicks of the same time are in the order of their text', () => {
    const clicks = ['b', 'a', 'c'].map((place): StoredRecentClick => [1, place, '', '']);
    for (const some of [clicks, clicks.toReversed()])
      expect(newestClicks(some).map(([, place]) => place)).toEqual(['a', 'b', 'c']);
  });

  it('recent clicks are the newest, newest first, in whatever order they arrive', async () => {
    const times = Array.from({ length: 130 }, (_, i) => NOON + ((i * 37) % 130) * 1000);
    const windows = [0, 1, 2, 3].map((n) =>
      makeWindow(times.filter((_, i) => i % 4 === n).map((t) => makeClick(1, { t }))),
    );
    await foldWindows(env.DB, windows.slice(0, 2), NOON);
    await foldWindows(env.DB, windows.slice(2), NOON);
    expect(await recentTimes()).toEqual(times.sort((a, b) => b - a).slice(0, RECENT_CLICKS_MAX));
  });

  it('recent clicks are the newest of a fold of thousands, newest first', async () => {
    const times = Array.from({ length: 2_100 }, (_, i) => NOON - i * 1_000);
    await foldWindows(env.DB, [makeWindow(times.map((t) => makeClick(1, { t })))], NOON);
    expect(await recentTimes()).toEqual(times.slice(0, 50));
  });

  it('newer recent clicks go in front, and the list is cut now and then', async () => {
    const times = Array.from({ length: 130 }, (_, i) => NOON + i * 1_000);
    const lengths: number[] = [];
    const first = times.slice(0, 40).map((t) => makeClick(1, { t }));
    await foldWindows(env.DB, [makeWindow(first)], times[39] ?? 0);
    for (const [i, t] of [...times.entries()].slice(40)) {
      await foldWindows(env.DB, [makeWindow([makeClick(1, { t })])], t);
      const stored = await recentTimes();
      lengths.push(stored.length);
      expect(stored.slice(0, RECENT_CLICKS_MAX)).toEqual(
        times.slice(Math.max(0, i + 1 - RECENT_CLICKS_MAX), i + 1).toReversed(),
      );
    }
    expect(Math.max(...lengths)).toBeLessThan(3 * RECENT_CLICKS_MAX);
    expect(lengths.at(-1)).toBeGreaterThan(RECENT_CLICKS_MAX);
    const last = times.at(-1) ?? 0;
    const shown = readRecentClicks(
      (await env.DB.prepare('SELECT recent FROM link_totals').first<string>('recent')) ?? '',
      { from: 0, to: Infinity },
      last,
    );
    expect(shown.map(({ clicked_at }) => Date.parse(clicked_at))).toEqual(
      times.slice(-RECENT_CLICKS_MAX).toReversed(),
    );
    expect(lengths.filter((n) => n === RECENT_CLICKS_MAX).length).toBeGreaterThan(1);
  });

  it('recent clicks leave out those that are some days too old', async () => {
    const fold = (t: number) => foldWindows(env.DB, [makeWindow([makeClick(1, { t })])], t);
    const [second, third] = [
      NOON + (KEEP_RECENT_CLICKS_DAYS + 2) * DAY_MS,
      NOON + (KEEP_RECENT_CLICKS_DAYS + 4) * DAY_MS,
    ];
    for (const t of [NOON, second]) await fold(t);
    expect(await recentTimes()).toEqual([second, NOON]);
    await fold(third);
    expect(await recentTimes()).toEqual([third, second]);
  });

  it('two clicks of the same moment have one order, whichever is folded first', async () => {
    const both: unknown[] = [];
    for (const cities of [
      ['Agra', 'Pune'],
      ['Pune', 'Agra'],
    ]) {
      await deleteClicks();
      for (const y of cities)
        await foldWindows(env.DB, [makeWindow([makeClick(1, { t: NOON, y })])], NOON);
      both.push(await env.DB.prepare('SELECT recent FROM link_totals').first('recent'));
    }
    expect(both[0]).toBe(both[1]);
  });
});
