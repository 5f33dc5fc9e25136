import { dateFormat } from '#contract/language.ts';
import type { TimesResponse } from '#contract/reports/times.ts';
import { dayNumber, utcDate } from '#contract/reports/periods.ts';
import { daysOfPeriod, type Period } from '#contract/reports/ranges.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { firstDetailedDay } from '#worker/clicks/accounts/read-link-days.ts';
import type { Tally } from '#worker/clicks/fold/counts.ts';
import { oldestDayWithHours } from '#worker/clicks/fold/tables.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import { readFirstDay } from './account-days.ts';
import { readDays, type OverviewOptions } from './account-overview.ts';
import { isLimited } from './chosen-days.ts';
import { readParts } from './read-parts.ts';
import type { VisibleLink } from './report.ts';

const WEEK_HOURS = 7 * 24;

/** The clicks of a link by weekday and hour. Reads a row per day, because months have no hours. */
export async function readTimes(
  db: Db,
  { link }: VisibleLink,
  period: Period,
  { timeZone, now }: { timeZone: string; now: number },
): Promise<TimesResponse> {
  const { rows } = await readParts(openShard(db, link.shard), link.id, {
    from: period.from,
    to: period.to,
    oldestDay: 0,
    parts: ['times'],
  });
  const oldest = oldestDayWithHours(now) * DAY_MS;
  return {
    ...sumTimes(
      rows.map(({ at, counts }) => ({ at, times: counts.times })),
      period,
      timeZone,
    ),
    shortenedBy: period.isShortened ? 'retention' : null,
    hoursSince: Math.max(period.from, link.created_at) < oldest ? utcDate(oldest) : null,
  };
}

/** The clicks on the links that the options choose, by weekday and hour. */
export async function readAccountTimes(
  db: Db,
  options: Pick<
    OverviewOptions,
    'userId' | 'tag' | 'host' | 'domain' | 'origins' | 'period' | 'now'
  >,
  timeZone: string,
): Promise<TimesResponse> {
  const { userId, period, now } = options;
  const { days, first, shortenedBy } = await readDays(db, options, period.from);
  const from = Math.max(period.from, first * DAY_MS);
  const oldest = isLimited(options) ? 0 : firstDetailedDay(now);
  const firstDay = (await readFirstDay(db, userId)) ?? oldest;
  return {
    ...sumTimes(
      days.map(({ day, counts }) => ({ at: day * DAY_MS, times: counts.times })),
      { ...period, from },
      timeZone,
    ),
    shortenedBy: shortenedBy ?? (period.isShortened ? 'retention' : null),
    hoursSince: Math.max(dayNumber(from), firstDay) < oldest ? utcDate(oldest * DAY_MS) : null,
  };
}

function sumTimes(
  days: readonly { at: number; times: Tally }[],
  period: Period,
  timeZone: string,
): Omit<TimesResponse, 'shortenedBy' | 'hoursSince'> {
  const clicksByWeekHour = Array.from({ length: WEEK_HOURS }, () => 0);
  const offsetOf = makeOffsets(timeZone);
  let totalClicks = 0;
  for (const { at, times } of days)
    for (const [time, clicks] of times) {
      // Other entries are hours of bots and prefetches.
      if (!/^\d+$/.test(time)) continue;
      const start = at + Number(time) * HOUR_MS;
      if (start < period.from || start >= period.to) continue;
      const hour = weekHourOf(start + offsetOf(start));
      clicksByWeekHour[hour] = (clicksByWeekHour[hour] ?? 0) + clicks;
      totalClicks += clicks;
    }
  return {
    range: period.range,
    period: daysOfPeriod(period),
    timeZone,
    totalClicks,
    clicksByWeekHour,
  };
}

/** Whole hours since the start of a Monday. The first day of 1970 was a Thursday. */
const weekHourOf = (local: number): number => Math.floor(local / HOUR_MS + 3 * 24) % WEEK_HOURS;

/**
 * Returns a function for the offset of a time zone from UTC at a time, in ms. It asks once a day,
 * except on days on which the offset changes.
 */
function makeOffsets(timeZone: string): (ms: number) => number {
  const format = dateFormat({ timeZone, timeZoneName: 'longOffset' });
  const ask = (ms: number): number => {
    const [, sign = '+', hours = '0', minutes = '0'] =
      /GMT([+-])(\d+):(\d+)/.exec(format(ms)) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * (HOUR_MS / 60));
  };
  const ofDay = new Map<number, number | null>();
  return (ms) => {
    const day = dayNumber(ms);
    let offset = ofDay.get(day);
    if (offset === undefined) {
      const atStart = ask(day * DAY_MS);
      offset = atStart === ask((day + 1) * DAY_MS) ? atStart : null;
      ofDay.set(day, offset);
    }
    return offset ?? ask(ms);
  };
}
