import { CHART_HOURS_DAYS } from '#contract/limits.ts';
import type { Period } from '#contract/reports/ranges.ts';
import { formatFilter, type Filter } from '#contract/reports/report-filter.ts';
import { startOfDay, startOfHour } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { planOfOwner, type VisibleLink } from './report.ts';

/**
 * The ETag of a report. Every click changes a total and every edit changes the link's version.
 * Otherwise a report changes only when an hour ends, which the comparison with the previous period
 * leaves out until then, or when the day ends. A page that polls therefore costs four rows read per
 * request.
 */
export function reportETag(
  found: VisibleLink,
  period: Period,
  filters: readonly Filter[],
  now: number,
): string {
  const { link, totals, viewer } = found;
  const figures =
    totals === null ? [] : [totals.human, totals.bot, totals.prefetch, totals.visitors];
  const isByHour = period.range !== 'all' || now - link.created_at < CHART_HOURS_DAYS * DAY_MS;
  const parts = [
    period.range,
    ...(period.range === 'custom' ? [period.from, period.to] : []),
    isByHour ? startOfHour(now) : startOfDay(now),
    planOfOwner(found, now),
    viewer,
    link.id,
    link.version,
    ...figures,
    // An ETag holds neither quotes nor letters beyond ASCII.
    ...filters.map((filter) => encodeURIComponent(formatFilter(filter))),
  ];
  return `"${parts.join('.')}"`;
}
