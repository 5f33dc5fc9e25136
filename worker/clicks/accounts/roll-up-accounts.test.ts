import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RANGES } from '#contract/reports/ranges.ts';
import { readAccountDays } from '#worker/reports/account-days.ts';
import { readAccountReport } from '#worker/reports/account-report.ts';
import { readPrefixReport } from '#worker/reports/prefix-report.ts';
import { openDb } from '#worker/db/client.ts';
import { account_days, weekly_mails } from '#worker/db/schema-accounts.ts';
import { users } from '#worker/db/schema-users.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  UA_BOT,
  UA_IPHONE,
} from '#worker/testing/clicks.ts';
import { rankLinks } from '#worker/links/list/rank-links.ts';
import { countRowsRead } from '#worker/testing/rows-read.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { verifyAccounts } from './verify-accounts.ts';
import { readRolledUpTo, rollUpAccounts, rollUpSmallAccount } from './roll-up-accounts.ts';
import { beforeBatch } from '#worker/testing/faults.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const USER = 'roll-up';
const db = openDb(env.DB);
const setStatus = (id: number, status: string) =>
  env.DB.prepare('UPDATE links SET status = ? WHERE id = ?').bind(status, id).run();
/**
 * Runs the jobs as cron does: the order of links by clicks comes first, because it finds the most
 * clicked links.
 */
const rollUp = async (now: number) => {
  await rankLinks(env, now);
  let left = true;
  while (left) {
    const result = await rollUpAccounts(env, now, UNBOUNDED);
    left = (result.left ?? 0) > 0;
  }
};
const click = (link: number, t: number, i = 0) =>
  makeClick(link, {
    t,
    k: `v${i % 7}`,
    ua: i % 5 === 0 ? UA_BOT : UA_IPHONE,
    r: `r${i % 3}.example`,
    y: `City ${i % 4}`,
  });

/** The details of an account, such as its top links, are kept for 90 days. */
const DETAILED_RANGES = RANGES.filter((range) => range !== '12m');

/** The account from its own days, and from the counts of each of its links. */
async function reports(now: number) {
  const waitUntil = (work: Promise<unknown>): void => void work;
  const both = DETAILED_RANGES.map(async (range) => {
    const { countedAt: _, ...rolledUp } = await readAccountReport(db, {
      userId: USER,
      range,
      now,
      waitUntil,
    });
    const { countedAt: __, ...byLink } = await readPrefixReport(db, {
      userId: USER,
      codePrefix: '',
      range,
      now,
    });
    return [
      { range, ...rolledUp },
      { range, ...byLink },
    ] as const;
  });
  return Promise.all(both);
}
async function expectExact(now: number): Promise<void> {
  for (const [rolledUp, byLink] of await reports(now)) expect(rolledUp).toEqual(byLink);
}

beforeEach(async () => {
  await deleteClicks();
  await env.DB.prepare('DELETE FROM links').run();
  await env.DB.prepare('DELETE FROM users').run();
  for (const id of [USER, 'another'])
    await db
      .insert(users)
      .values({ id, created_at: 0, last_seen_at: 0, report_read_at: NOW, report_used_since: 0 });
});

describe('rollUpAccounts', () => {
  it('an account’s days equal the sum over its links, also after late clicks', async () => {
    await makeLinks([1, 2, 3], USER);
    await makeLinks([4], 'another');
    // Archived links count.
    await env.DB.prepare('UPDATE links SET archived = 1 WHERE id = 2').run();
    // More links than are rolled up when a report is opened.
    await makeLinks(
      Array.from({ length: 101 }, (_, i) => 1_000 + i),
      USER,
    );
    for (let end = NOW - 130 * DAY_MS; end <= NOW - 10 * DAY_MS; end += 15 * DAY_MS) {
      const clicks = Array.from({ length: 40 }, (_, i) =>
        click(1 + (i % 4), end - (i % 14) * DAY_MS - i * HOUR_MS, i),
      );
      await foldWindows(env.DB, [makeWindow(clicks)], end);
      await closeMonths(env, end);
      if (end < NOW - 100 * DAY_MS) await rollUp(end);
    }
    await rollUp(NOW);
    await expectExact(NOW);
    // A day that is open, one that is remembered, and one that is so late that the account is
    // rolled up again.
    await foldWindows(
      env.DB,
      [makeWindow([click(1, NOW, 1), click(1, NOW - DAY_MS, 2), click(5, NOW, 3)])],
      NOW,
    );
    await rollUp(NOW + HOUR_MS);
    await foldWindows(
      env.DB,
      [makeWindow([click(1, NOW - DAY_MS, 4), click(2, NOW - 4 * DAY_MS, 6)])],
      NOW,
    );
    await rollUp(NOW + 2 * HOUR_MS);
    await expectExact(NOW + 2 * HOUR_MS);
    await foldWindows(
      env.DB,
      [makeWindow([click(1, NOW - 12 * DAY_MS, 8), click(3, NOW, 9)])],
      NOW,
    );
    await rollUp(NOW + 3 * HOUR_MS);
    await expectExact(NOW + 3 * HOUR_MS);
    await setStatus(1, 'deleted');
    await rollUp(NOW + 4 * HOUR_MS);
    await expectExact(NOW + 4 * HOUR_MS);
    await setStatus(1, 'active');
    await rollUp(NOW + 5 * HOUR_MS);
    await expectExact(NOW + 5 * HOUR_MS);
    const [day] = (await readAccountDays(db, USER, dayNumber(NOW))).slice(-1);
    expect(day?.counts.ref).toEqual(
      new Map([
        ['r1.example', 1],
        ['r0.example', 1],
      ]),
    );
    expect(await verifyAccounts(env, NOW + 5 * HOUR_MS)).toEqual({
      done: { accounts_verified: 2, accounts_rolled_up_again: 0 },
      left: 0,
    });
  });

  it('adds nothing twice when it runs twice at once, and then again', async () => {
    await makeLinks(
      Array.from({ length: 300 }, (_, i) => i + 1),
      USER,
    );
    // The first ones have most, so that the order of the most clicked ones is not left to chance.
    const clicks = Array.from({ length: 300 }, (_, i) =>
      Array.from({ length: Math.max(1, 20 - i) }, () => click(i + 1, NOW, 1)),
    );
    await foldWindows(env.DB, [makeWindow(clicks.flat())], NOW);
    await Promise.allSettled([rollUp(NOW), rollUp(NOW)]);
    await rollUp(NOW + HOUR_MS);
    const days = await rowsOf('account_days');
    await rollUp(NOW + 2 * HOUR_MS);
    expect(await rowsOf('account_days')).toEqual(days);
    await expectExact(NOW);
  });

  it.each([
    ['reads the counts', 1],
    ['writes', 2],
  ])('writes nothing when another run wrote before it %s', async (_, overtakenAt) => {
    await makeLinks([1, 2], USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    const overtaken = beforeBatch(env.DB, async (nth) => {
      // The first batch reads the counts, the second one writes. What was rolled up before is
      // known by then.
      if (nth === overtakenAt) {
        await foldWindows(env.DB, [makeWindow([click(2, NOW, 1)])], NOW);
        await rollUp(NOW);
      }
    });
    await expect(rollUpAccounts({ DB: overtaken }, NOW, UNBOUNDED)).rejects.toThrow();
    expect((await readAccountDays(db, USER, 0)).map(({ counts }) => counts.human)).toEqual([2]);
    await expectExact(NOW);
  });

  it('reads a row per day for a report, however many links there are', async () => {
    await makeLinks(
      Array.from({ length: 3_000 }, (_, i) => i + 1),
      USER,
    );
    for (let day = 0; day < 3; day++) {
      const clicks = Array.from({ length: 3_000 }, (_, i) =>
        click(i + 1, NOW - (2 - day) * DAY_MS, i),
      );
      await foldWindows(env.DB, [makeWindow(clicks)], NOW);
    }
    await rollUp(NOW);
    // The figures above the list, of which the number of links is one, are counted for an hour.
    await reports(NOW);
    const counted = countRowsRead(env.DB);
    const report = await readAccountReport(openDb(counted.db), {
      userId: USER,
      range: '30d',
      now: NOW,
      waitUntil: () => undefined,
    });
    expect(report.totals).toMatchObject({ clicks: 7_200, bots: 1_800 });
    expect(report.top).toHaveLength(10);
    console.log(`rows read by a report of 3,000 links: ${counted.rowsRead()}`);
    // 101 links tell that the account is not small.
    expect(counted.rowsRead()).toBeLessThan(101 + 3 + 2 * 50 + 20);
    await foldWindows(env.DB, [makeWindow([click(7, NOW, 1)])], NOW);
    const again = countRowsRead(env.DB);
    await rollUpAccounts({ DB: again.db }, NOW + HOUR_MS, UNBOUNDED);
    console.log(
      `rows read by an hour's roll-up of 3,000 links, one of which has changed: ${again.rowsRead()}`,
    );
    expect(again.rowsRead()).toBeLessThan(3_000 * 6);
  });
});

describe('an account whose report nobody reads', () => {
  const ids = Array.from({ length: 101 }, (_, i) => i + 1);
  const read = (now: number) =>
    readAccountReport(db, {
      userId: USER,
      range: '30d',
      now,
      waitUntil: (work: Promise<unknown>) => void work,
    });
  const stopReading = () =>
    env.DB.prepare('UPDATE users SET report_read_at = ?')
      .bind(NOW - 61 * DAY_MS)
      .run();

  it('an account is not rolled up until somebody reads its report', async () => {
    await stopReading();
    await makeLinks(ids, USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    await rollUp(NOW);
    expect(await rowsOf('rolled_up_links')).toEqual([]);
    expect(await read(NOW + MINUTE_MS)).toMatchObject({ totals: { clicks: 0 }, countedAt: null });
    // The job has already run in this hour, and runs again.
    await rollUp(NOW + 2 * MINUTE_MS);
    const counted = { totals: { clicks: 1 }, countedAt: NOW + 2 * MINUTE_MS };
    expect(await read(NOW + 3 * MINUTE_MS)).toMatchObject(counted);
    await rollUp(NOW + 4 * MINUTE_MS);
    expect(await read(NOW + 5 * MINUTE_MS)).toMatchObject(counted);
  });

  it('an account with 100 links is rolled up when its report is read', async () => {
    await stopReading();
    await makeLinks(ids.slice(1), USER);
    await foldWindows(env.DB, [makeWindow([click(2, NOW, 1)])], NOW);
    expect(await read(NOW)).toMatchObject({ totals: { clicks: 1 }, countedAt: NOW });
  });

  it('figures are as old as the first of the runs that have counted them', async () => {
    await makeLinks(
      Array.from({ length: 201 }, (_, i) => i + 1),
      USER,
    );
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    const step = { canContinue: () => false, kvWrites: () => 0 };
    expect(await rollUpAccounts(env, NOW, step)).toMatchObject({ left: 1 });
    expect(await readRolledUpTo(db)).toBeNull();
    expect(await rollUpAccounts(env, NOW + MINUTE_MS, step)).toMatchObject({
      done: { links_rolled_up: 1 },
    });
    expect(await readRolledUpTo(db)).toBe(NOW);
    // A late click of the first step: the account is rolled up again from its first link.
    await foldWindows(env.DB, [makeWindow([click(1, NOW - 5 * DAY_MS, 1)])], NOW);
    await rollUpAccounts(env, NOW + HOUR_MS, step);
    expect(await rollUpAccounts(env, NOW + HOUR_MS + MINUTE_MS, step)).toEqual({
      done: { links_rolled_up: 0, accounts_rolled_up_again: 1 },
      left: 1,
    });
    expect(await readRolledUpTo(db)).toBe(NOW);
  });

  it('a small account is rolled up at once, also when another run comes between', async () => {
    await makeLinks([1, 2], USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1), click(2, NOW, 1)])], NOW);
    const overtaken = beforeBatch(env.DB, (nth) => (nth === 2 ? rollUp(NOW) : undefined));
    expect(await rollUpSmallAccount(openDb(overtaken), USER, NOW)).toBe(true);
    expect((await readAccountDays(db, USER, 0)).map(({ counts }) => counts.human)).toEqual([2]);
  });

  it('an account is rolled up for the weekly mail', async () => {
    await stopReading();
    await makeLinks(ids, USER);
    await db.insert(weekly_mails).values({ user_id: USER, since: NOW, sent_week: 0 });
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    await rollUp(NOW);
    expect(await rowsOf('rolled_up_links')).toHaveLength(1);
    await db.delete(weekly_mails);
  });

  it('an unread account drops deleted links within a day, and marks old figures', async () => {
    await makeLinks(ids, USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1), click(2, NOW, 1)])], NOW);
    await rollUp(NOW);
    await stopReading();
    await setStatus(1, 'deleted');
    await foldWindows(env.DB, [makeWindow([click(2, NOW, 2)])], NOW);
    const later = NOW + DAY_MS;
    await rollUp(later);
    expect(await read(later)).toMatchObject({ totals: { clicks: 1 }, countedAt: null });
    await rollUp(later + HOUR_MS);
    await expectExact(later + HOUR_MS);
  });

  it('an unread account costs no row for each of its links', async () => {
    await makeLinks(ids, USER);
    await foldWindows(env.DB, [makeWindow(ids.map((id) => click(id, NOW, 1)))], NOW);
    await rollUp(NOW);
    await stopReading();
    for (const id of ids.slice(0, 20))
      await db.insert(users).values({ id: `never-${id}`, created_at: 0, last_seen_at: 0 });
    await foldWindows(env.DB, [makeWindow(ids.map((id) => click(id, NOW, 2)))], NOW);
    const counted = countRowsRead(env.DB);
    for (let hour = 1; hour <= 3; hour++)
      await rollUpAccounts({ DB: counted.db }, NOW + hour * HOUR_MS, UNBOUNDED);
    console.log(
      `rows read in three hours while no report of a clicked account is in use: ${counted.rowsRead()}`,
    );
    expect(counted.rowsRead()).toBeLessThan(3 * 10);
  });
});

describe('verifyAccounts', () => {
  it('rolls an account up again whose days differ from its links', async () => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await makeLinks([1], USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    await rollUp(NOW);
    await env.DB.prepare(`UPDATE account_days SET counts = '[5,0,0,0]'`).run();
    // The next step of the verification finds nothing wrong.
    for (const user_id of ['x1', 'x2', 'x3', 'x4', 'x5'])
      await db
        .insert(account_days)
        .values({ user_id, day: 1, rev: 1, counts: '[0,0,0,0]', top: '[]' });
    expect(await verifyAccounts(env, NOW)).toMatchObject({
      done: { accounts_verified: 6, accounts_rolled_up_again: 1 },
    });
    await rollUp(NOW + HOUR_MS);
    expect((await readAccountDays(db, USER, 0)).map(({ counts }) => counts.human)).toEqual([1]);
    logged.mockRestore();
  });

  it('verifies every account once a day, five at a time', async () => {
    const days = Array.from({ length: 11 }, (_, i) => ({
      user_id: `many-${i}`,
      day: 1,
      rev: 1,
      counts: '[0,0,0,0]',
      top: '[]',
    }));
    await db.insert(account_days).values(days);
    const step = { canContinue: () => false, kvWrites: () => 0 };
    const results: unknown[] = [];
    for (let run = 0; run < 5; run++) {
      const { done, left } = await verifyAccounts(env, NOW, step);
      results.push([done?.accounts_verified, left]);
    }
    expect(results).toEqual([
      [5, 1],
      [10, 1],
      [11, 1],
      [11, 0],
      [undefined, undefined],
    ]);
    expect(await verifyAccounts(env, NOW + DAY_MS)).toMatchObject({
      done: { accounts_verified: 11 },
    });
  });

  it('the details of the last 90 days are rolled up, and the sums of earlier ones', async () => {
    await makeLinks([1], USER);
    const times = [0, 89, 90].map((days) => NOW - days * DAY_MS);
    await foldWindows(env.DB, [makeWindow(times.map((t) => click(1, t, 1)))], NOW);
    await rollUp(NOW);
    const days = await readAccountDays(db, USER, 0);
    expect(days.map(({ counts, top }) => [counts.human, counts.place.size, top.size])).toEqual([
      [1, 0, 0],
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });

  it('deletes details that no range shows any more', async () => {
    await makeLinks([1], USER);
    await foldWindows(env.DB, [makeWindow([click(1, NOW, 1)])], NOW);
    await rollUp(NOW);
    await verifyAccounts(env, NOW + 89 * DAY_MS);
    expect((await readAccountDays(db, USER, 0))[0]?.top.size).toBe(1);
    await verifyAccounts(env, NOW + 90 * DAY_MS);
    const [day] = await readAccountDays(db, USER, 0);
    expect([day?.top.size, day?.counts.place.size, day?.counts.human]).toEqual([0, 0, 1]);
  });
});
