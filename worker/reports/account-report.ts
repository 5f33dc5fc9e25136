import { periodOf, type Range } from '#contract/reports/ranges.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { HOUR_SUFFIX, sumsOf, type ClickCounts, type Sums } from '#worker/clicks/fold/counts.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { readAccountTotals } from '#worker/links/list/account-totals.ts';
import {
  countAccount,
  findTopLinks,
  findTopLinksEver,
  leadingLinks,
  readAccountDays,
  type AccountDay,
} from './account-days.ts';
import { rankLinksIn, sumDays, type AccountReport } from './prefix-report.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/** The most clicked links of the two days that the last 24 hours touch. */
const LEADING_LINKS = 100;

/**
 * The clicks on all links of a member that are not deleted. Reads one row per day with clicks,
 * whatever the number of links.
 */
export async function readAccountReport(
  db: Db,
  {
    userId,
    range,
    now,
    waitUntil,
  }: { userId: string; range: Range; now: number; waitUntil: WaitUntil },
): Promise<AccountReport> {
  const from = periodOf({ range }, now).from;
  const countedAt = await countAccount(db, userId, now);
  const days = await readAccountDays(db, userId, dayNumber(from));
  const rows = days.map(({ day, counts }) => {
    const hoursBefore = day === dayNumber(from) ? (from % DAY_MS) / HOUR_MS : 0;
    return Object.assign(withoutHoursBefore(counts, hoursBefore), { day });
  });
  const top = await findTop(db, userId, range, days, now);
  return {
    links: (await readAccountTotals(db, userId, now, waitUntil)).links,
    ...sumDays(rows, now),
    top: top.map(({ id, code, clicks }) => ({ id, code, clicks })),
    countedAt,
  };
}

async function findTop(
  db: Db,
  userId: string,
  range: Range,
  days: readonly AccountDay[],
  now: number,
): Promise<AccountReport['top']> {
  if (range === 'all') return findTopLinksEver(db, userId, now);
  if (range !== '24h') return findTopLinks(db, userId, days);
  // A day stores its most clicked links without their hours.
  const leading = leadingLinks(days, LEADING_LINKS);
  return rankLinksIn(
    db,
    leading.map(([id]) => id),
    range,
    now,
  );
}

/** The sums of a day from the hour `first` on. */
function withoutHoursBefore(counts: ClickCounts, first: number): Sums {
  const sums = sumsOf(counts);
  for (let hour = 0; hour < first; hour++) {
    for (const figure of ['human', 'bot', 'prefetch'] as const)
      sums[figure] -= counts.times.get(hour + HOUR_SUFFIX[figure]) ?? 0;
    sums.visitors -= counts.seen.get(String(hour)) ?? 0;
  }
  return sums;
}
