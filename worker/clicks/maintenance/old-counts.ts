import { getOrCreate } from '#worker/clicks/fold/aggregate-clicks.ts';
import { add, FIGURES, HOUR_SUFFIX, noCounts, type Counts } from '#worker/clicks/fold/counts.ts';
import { dayNumber, monthOfDay } from '#contract/periods.ts';
import type { click_counts, click_dims } from '#worker/db/schema-clicks.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';

export type OldCountRow = typeof click_counts.$inferSelect;
export type OldDimRow = typeof click_dims.$inferSelect;

/**
 * What the previous release has counted of a link: hours and days by day, and what it had folded
 * into months.
 */
export type OldCounts = {
  days: Map<number, Counts>;
  months: Map<number, { activeDays: number; counts: Counts }>;
};

/** Adds up rows of the previous release by link, day and month. */
export function sumOldCounts(
  counts: readonly OldCountRow[],
  dims: readonly OldDimRow[],
): Map<number, OldCounts> {
  const links = new Map<number, OldCounts>();
  const periodOf = ({ link_id, grain, at }: Pick<OldCountRow, 'link_id' | 'grain' | 'at'>) => {
    const link = getOrCreate(links, link_id, (): OldCounts => ({
      days: new Map(),
      months: new Map(),
    }));
    const day = dayNumber(at);
    if (grain === 'm')
      return getOrCreate(link.months, monthOfDay(day), () => ({
        activeDays: 0,
        counts: noCounts(),
      }));
    return { activeDays: 0, counts: getOrCreate(link.days, day, noCounts) };
  };
  for (const row of counts) {
    const period = periodOf(row);
    period.activeDays += row.active_days;
    for (const figure of FIGURES) period.counts[figure] += row[figure];
    const hour = String((row.at % DAY_MS) / HOUR_MS);
    for (const figure of ['human', 'bot', 'prefetch'] as const)
      if (row.grain === 'h' && row[figure] > 0)
        add(period.counts.times, hour + HOUR_SUFFIX[figure], row[figure]);
    if (row.grain === 'h' && row.visitors > 0) add(period.counts.seen, hour, row.visitors);
  }
  for (const row of dims) add(periodOf(row).counts[row.dim], row.val, row.n);
  return links;
}
