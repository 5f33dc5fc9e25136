import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOP } from '#worker/testing/link-ids.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import { buildReport, findVisibleLink } from '#worker/reports/report.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb } from '#worker/db/client.ts';
import {
  deleteClicks,
  makeClick,
  makeLinks,
  makeWindow,
  rowsOf,
  storedDays,
} from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { closeMonths, lastClosableDay } from './close-months.ts';
import { parseCounts } from '#worker/clicks/fold/counts-codec.ts';
import { deleteExpiredData } from './delete-expired-data.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { dayNumber, oldestDayKept } from '#contract/reports/periods.ts';
import { daysTableOf, findExpiredDays, oldestDayWithHours } from '#worker/clicks/fold/tables.ts';
import { readLastVerification, verifyTotals } from './verify-totals.ts';

const db = openDb(env.DB);
const at = (month: number, day: number, year = 2026): number => Date.UTC(year, month - 1, day, 12);
const NOW = at(11, 20);
const fold = (t: number, now = t, binding = env.DB) =>
  foldWindows(binding, [makeWindow([makeClick(1, { t, k: `v${t}` })])], now);

beforeEach(async () => {
  await deleteClicks();
  await makeLinks([1]);
});

/** The database, on which `meanwhile` runs before the query or the batch that matches. */
function interrupted(
  isIt: (statements: string) => boolean,
  meanwhile: () => Promise<unknown>,
): D1Database {
  const bounds = new WeakMap<D1PreparedStatement, { text: string; bound: D1PreparedStatement }>();
  let done = false;
  const interrupt = async (text: string) => {
    if (done || !isIt(text)) return;
    done = true;
    await meanwhile();
  };
  return withMethods(env.DB, {
    prepare: (text: string) =>
      withMethods(env.DB.prepare(text), {
        bind: (...values: unknown[]) => {
          const bound = env.DB.prepare(text).bind(...values);
          const statement = withMethods(bound, {
            all: async () => {
              await interrupt(text);
              return bound.all();
            },
          });
          bounds.set(statement, { text, bound });
          return statement;
        },
      }),
    batch: async (statements: D1PreparedStatement[]) => {
      await interrupt(statements.map((statement) => bounds.get(statement)?.text).join(';'));
      return env.DB.batch(statements.map((statement) => bounds.get(statement)?.bound ?? statement));
    },
  });
}

async function totalClicks(now: number): Promise<number> {
  const found = await findVisibleLink(db, 'link1', { id: '', role: 'admin' });
  if (found === undefined) throw new Error('no link');
  await env.DB.prepare(`DELETE FROM job_runs WHERE name LIKE 'prove%'`).run();
  await verifyTotals(env, now);
  expect(await readLastVerification(db)).toMatchObject({ ok: true });
  const { report } = await buildReport(db, found, {
    period: periodOf({ range: 'all' }, now),
    origins: HOP,
    now,
  });
  expect(Object.values(report.analytics.clicksByDate).reduce((sum, n) => sum + n, 0)).toBe(
    report.analytics.totalClicks,
  );
  return report.analytics.totalClicks;
}

describe('closeMonths', () => {
  it.each([
    [at(11, 18), at(10, 31)],
    [at(11, 19), at(11, 15)],
    [at(12, 3), at(11, 15)],
    [at(12, 4), at(11, 30)],
  ])(
    'closes days that are four days old, after the 15th and the last day of a month',
    (now, last) => {
      expect(lastClosableDay(now)).toBe(dayNumber(last));
    },
  );

  it('adds up clicks and visitors of each day', async () => {
    for (const day of [1, 1, 2, 3, 4, 14, 15, 16]) await fold(at(11, day), NOW);
    await closeMonths(env, NOW);
    const [row, ...others] = await rowsOf('link_months');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      link_id: 1,
      month: 682,
      through: dayNumber(at(11, 15)),
    });
    const { human, visitors, times, seen } = parseCounts(String(row?.['counts']));
    expect({
      human,
      visitors,
      times: Object.fromEntries(times),
      seen: Object.fromEntries(seen),
    }).toEqual({
      human: 7,
      visitors: 7,
      times: { 1: 2, 2: 1, 3: 1, 4: 1, 14: 1, 15: 1 },
      seen: { 1: 2, 2: 1, 3: 1, 4: 1, 14: 1, 15: 1 },
    });
    expect(await totalClicks(NOW)).toBe(8);
  });

  it('the latest day of a link that is the last one of its month is counted once', async () => {
    for (const day of [1, 2, 3, 4, 5, 15]) await fold(at(11, day), NOW);
    await closeMonths(env, NOW);
    expect(await rowsOf('link_months')).toMatchObject([{ through: dayNumber(at(11, 15)) }]);
    expect(await totalClicks(NOW)).toBe(6);
  });

  it('up to four days stay open, until those of their table are about to expire', async () => {
    for (const t of [at(6, 1), at(7, 1), at(7, 2), at(7, 31), at(8, 1)]) await fold(t);
    await closeMonths(env, at(8, 4));
    expect(await rowsOf('link_months')).toEqual([]);
    await closeMonths(env, at(8, 20));
    expect((await rowsOf('link_months')).map((row) => row['month'])).toEqual([677, 678, 679]);
    expect(await totalClicks(at(8, 20))).toBe(5);
  });

  it('a late click that is counted while days close is not left out', async () => {
    for (const day of [1, 2, 3, 4, 5, 20]) await fold(at(11, day));
    const meanwhile = interrupted(
      (statements) => statements.includes('insert into "link_months"'),
      () => fold(at(11, 2), NOW),
    );
    await closeMonths({ DB: meanwhile }, NOW);
    expect(await rowsOf('link_months')).toHaveLength(1);
    expect(await totalClicks(NOW)).toBe(7);
  });
});

describe('two runs of closeMonths', () => {
  it.each(['select distinct m.*', 'insert into "link_months"'])(
    'days are added once when another run closes them before “%s”',
    async (statement) => {
      for (const day of [1, 2, 3, 4, 5, 20]) await fold(at(11, day));
      const others: unknown[] = [];
      const meanwhile = interrupted(
        (statements) => statements.includes(statement),
        async () => others.push(await closeMonths(env, NOW)),
      );
      await closeMonths({ DB: meanwhile }, NOW);
      expect(others).toHaveLength(1);
      expect((await rowsOf('link_months')).map((row) => row['through'])).toEqual([
        dayNumber(at(11, 15)),
      ]);
      expect(await totalClicks(NOW)).toBe(6);
    },
  );
});

describe('a late click', () => {
  it('a late click opens a month that is closing, which is then closed again', async () => {
    for (const day of [1, 2, 3, 4, 5, 20]) await fold(at(11, day));
    const meanwhile = interrupted(
      (statements) => statements.includes('insert into "link_totals"'),
      () => closeMonths(env, NOW),
    );
    await fold(at(11, 2), NOW, meanwhile);
    expect(await rowsOf('link_months')).toEqual([]);
    expect(await totalClicks(NOW)).toBe(7);
    await closeMonths(env, at(12, 5));
    expect(await rowsOf('link_months')).toMatchObject([{ through: dayNumber(at(11, 30)) }]);
    expect(await totalClicks(at(12, 5))).toBe(7);
  });

  it('a late click on a day that no month holds yet opens none', async () => {
    for (const day of [1, 2, 3, 4, 5, 20]) await fold(at(11, day));
    await closeMonths(env, NOW);
    await fold(at(11, 16), NOW);
    expect(await rowsOf('link_months')).toMatchObject([{ through: dayNumber(at(11, 15)) }]);
    expect(await totalClicks(NOW)).toBe(7);
  });

  it('a late click that opens a month while a report is read is in the report', async () => {
    for (const day of [1, 2, 3, 4, 5, 20]) await fold(at(11, day));
    await closeMonths(env, NOW);
    const found = await findVisibleLink(db, 'link1', { id: '', role: 'admin' });
    if (found === undefined) throw new Error('no link');
    expect(found.closed).toBe(dayNumber(at(11, 15)));
    await fold(at(11, 2) + 1, NOW);
    const { report } = await buildReport(db, found, {
      period: periodOf({ range: 'all' }, NOW),
      origins: HOP,
      now: NOW,
    });
    expect(report.analytics.totalClicks).toBe(7);
    expect(Object.values(report.analytics.clicksByDate)).toEqual([1, 2, 1, 1, 1, 1]);
  });

  it('a late click opens its month and later ones, and no earlier one', async () => {
    for (const month of [8, 9, 10, 11]) for (const day of [1, 2, 3]) await fold(at(month, day));
    await closeMonths(env, NOW);
    expect(await rowsOf('link_months')).toHaveLength(4);
    await fold(at(10, 2), NOW);
    expect((await rowsOf('link_months')).map((row) => row['month'])).toEqual([679, 680]);
    expect(await totalClicks(NOW)).toBe(13);
    await closeMonths(env, at(12, 5));
    expect(await rowsOf('link_months')).toHaveLength(4);
    expect(await totalClicks(at(12, 5))).toBe(13);
  });
});

describe('tables of days', () => {
  it('one of the four tables of days is empty for the next seven months', () => {
    const starts = [at(1, 1), at(8, 1), at(3, 1, 2027), at(10, 1, 2027), at(5, 1, 2028)];
    const tables = starts.map((t) => daysTableOf(dayNumber(t), t));
    expect(new Set(tables).size).toBe(4);
    expect(tables[4]).toBe(tables[0]);
    expect(daysTableOf(dayNumber(at(7, 31)), at(7, 31))).toBe(tables[0]);
    expect(findExpiredDays(at(10, 1, 2027))).toEqual({
      table: tables[0],
      lastWritten: dayNumber(at(9, 30, 2027)),
    });
    // A day of 2022 goes into the oldest period that is kept.
    const kept = oldestDayWithHours(at(10, 1, 2027));
    expect(daysTableOf(dayNumber(at(8, 1, 2022)), at(10, 1, 2027))).toBe(
      daysTableOf(kept, kept * DAY_MS),
    );
    // Later, it may have days of the next period that were sent by a clock that is fast.
    expect(findExpiredDays(at(1, 31, 2028))).not.toBeNull();
    expect(findExpiredDays(at(2, 1, 2028))).toBeNull();
  });

  it('tables of days keep the days that reports show, on every day of three years', () => {
    for (let t = at(1, 1); t < at(1, 1, 2029); t += DAY_MS) {
      const oldest = dayNumber(oldestDayKept(t));
      expect(daysTableOf(oldest, oldest * DAY_MS)).toBe(daysTableOf(oldest, t));
      expect(findExpiredDays(t)?.table).not.toBe(daysTableOf(oldest, t));
    }
  });

  it('tables of days drop the days of a link idle for years, and its clicks stay', async () => {
    const years = [at(3, 1, 2022), at(3, 2, 2022), at(2, 1, 2025), NOW];
    for (const t of years) {
      await fold(t);
      for (const days of [0, 20, 40]) {
        await closeMonths(env, t + days * DAY_MS);
        await deleteExpiredData(env, t + days * DAY_MS);
      }
    }
    expect(await totalClicks(NOW)).toBe(4);

    const end = at(10, 20, 2028);
    for (const now of [at(3, 20, 2027), at(10, 20, 2027), at(5, 20, 2028), end]) {
      await closeMonths(env, now);
      await deleteExpiredData(env, now);
    }
    expect((await storedDays()).map(({ day }) => day)).toEqual([dayNumber(NOW)]);
    expect((await rowsOf('link_months')).map((row) => row['month'])).toEqual([626, 661]);
    expect(await totalClicks(end)).toBe(4);
  });
});
