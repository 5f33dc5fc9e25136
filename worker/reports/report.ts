import { shortUrlOf } from '#contract/link-key.ts';
import type {
  AdvancedAnalytics,
  AnalyticsResponse,
  FullReport,
  Range,
  RecentClick,
} from '#contract/analytics.ts';
import { importSource } from '#contract/import-formats.ts';
import { planIncludes } from '#contract/plan-features.ts';
import { formatFilter, type Filter } from '#contract/report-filter.ts';
import type { PlanType } from '#contract/site.ts';
import { CHART_HOURS_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { startOfDay, startOfHour, utcDate } from '#contract/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { buildDimensionPanels, buildTimePanels, readRecentClicks } from './panels.ts';
import {
  findLinkWithTotals,
  readReportCounts,
  type LinkWithTotals,
  type PeriodRow,
} from './store.ts';

/** A link whose clicks `viewer` may see. */
export type VisibleLink = LinkWithTotals & Pick<FullReport, 'viewer'>;

const RANGE_DAYS: Readonly<Record<Exclude<Range, 'all'>, number>> = {
  '24h': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
};

/**
 * The link with this code if the viewer may see its clicks: its owner or an administrator
 * (docs/decisions.md#d3). Otherwise undefined for every reason, so that the caller cannot reveal
 * which links exist.
 */
export async function findVisibleLink(
  db: Db,
  code: string,
  viewer: { id: string; role: 'user' | 'admin' },
): Promise<VisibleLink | undefined> {
  const found = await findLinkWithTotals(db, code);
  if (found === undefined) return undefined;
  const isOwner = found.link.user_id === viewer.id;
  if (viewer.role !== 'admin' && !(isOwner && found.link.status !== 'deleted')) return undefined;
  return { ...found, viewer: isOwner ? 'owner' : 'admin' };
}

/** The plan of the link's owner at `now` (ms), which decides what a report contains. */
export const planOfOwner = ({ subscription }: LinkWithTotals, now: number): PlanType =>
  subscription === null ? 'free' : subscriptionAt(subscription, now).plan_type;

/**
 * The ETag of a report. Every click changes a total and every edit changes the link's version.
 * Otherwise a report changes only when the day ends, or the hour where its page shows hours. A page
 * that polls therefore costs four rows read per request.
 */
export function reportETag(
  found: VisibleLink,
  range: Range,
  filter: Filter | null,
  now: number,
): string {
  const { link, totals, viewer } = found;
  const figures =
    totals === null ? [] : [totals.human, totals.bot, totals.prefetch, totals.visitors];
  const showsHours = range === '24h' || now - link.created_at < CHART_HOURS_DAYS * DAY_MS;
  const period = showsHours ? startOfHour(now) : startOfDay(now);
  // An ETag holds neither quotes nor letters beyond ASCII.
  const filtered = filter === null ? [] : [encodeURIComponent(formatFilter(filter))];
  const parts = [
    range,
    period,
    planOfOwner(found, now),
    viewer,
    link.id,
    link.version,
    ...figures,
    ...filtered,
  ];
  return `"${parts.join('.')}"`;
}

/**
 * The start of a range in ms. Today is the last of its days; for the range '24h' the current hour
 * is the last of its hours.
 */
export function startOfRange(range: Range, now: number): number {
  if (range === 'all') return 0;
  return range === '24h'
    ? startOfHour(now) - DAY_MS + HOUR_MS
    : startOfDay(now) - (RANGE_DAYS[range] - 1) * DAY_MS;
}

/** The members that every report has about its link and itself. */
export const reportFrame = (
  { link, viewer }: VisibleLink,
  plan: PlanType,
  range: Range,
  shortOrigin: string,
  now: number,
) => ({
  url: {
    short_code: link.code,
    short_url: shortUrlOf(shortOrigin, link.code),
    long_url: link.target,
    created_at: new Date(link.created_at).toISOString(),
  },
  range,
  plan,
  viewer,
  imported:
    link.imported_clicks === null
      ? null
      : { clicks: link.imported_clicks, from: importSource(link.imported_from ?? '') },
  generatedAt: new Date(now).toISOString(),
});

/**
 * Builds the full report of one link; `limitToPlan` then leaves out what the plan does not include.
 * The rows read depend on the number of hours, days and values, not on the number of clicks.
 */
export async function buildReport(
  db: Db,
  found: VisibleLink,
  range: Range,
  shortOrigin: string,
  now: number,
): Promise<{ report: FullReport; rowsRead: number }> {
  const { link } = found;
  const plan = planOfOwner(found, now);
  const from = startOfRange(range, now);
  const previousFrom = startOfPreviousPeriod(range, from, link.imported_at ?? link.created_at);
  const compares = previousFrom !== null && planIncludes(plan, 'advancedAnalytics');
  const { totals, periods, counts, rowsRead } = await readReportCounts(
    openShard(db, link.shard),
    found,
    {
      // Places, agents and referrers are counted by day.
      from: startOfDay(from),
      periodsFrom: compares ? previousFrom : from,
      now,
    },
  );
  const { sums, activeDays, dates, hours } = buildTimePanels(
    periods.filter((row) => row.at >= from),
    now,
  );
  const shown = range === 'all' ? totals : sums;
  const report: FullReport = {
    ...reportFrame(found, plan, range, shortOrigin, now),
    advanced: true,
    analytics: {
      totalClicks: shown.human,
      uniqueClicks: shown.visitors,
      activeDays,
      qrScans: sums.scans,
      ...dates,
      ...hours,
      ...buildDimensionPanels(counts),
      previousPeriod: compares ? sumPeriod(periods, range, previousFrom, from, now) : null,
      recentClicks: readRecentClicks(totals.recent, from, now),
    },
    setAside: { bots: shown.bot, prefetches: shown.prefetch },
    lifetimeClicks: totals.human,
  };
  return { report, rowsRead };
}

/**
 * The start of the previous period, which is as long as the range. Null if there is none, or if the
 * link did not exist then.
 */
function startOfPreviousPeriod(range: Range, from: number, createdAt: number): number | null {
  if (range === 'all') return null;
  const start = from - RANGE_DAYS[range] * DAY_MS;
  return (range === '24h' ? startOfHour : startOfDay)(createdAt) <= start ? start : null;
}

function sumPeriod(
  periods: readonly PeriodRow[],
  range: Range,
  from: number,
  to: number,
  now: number,
): AdvancedAnalytics['previousPeriod'] {
  const { sums, activeDays, dates, hours } = buildTimePanels(
    periods.filter((row) => row.at >= from && row.at < to),
    now,
  );
  return {
    from: utcDate(from),
    to: utcDate(to - 1),
    totalClicks: sums.human,
    uniqueClicks: sums.visitors,
    activeDays,
    ...dates,
    ...(range === '24h' && hours),
  };
}

/**
 * The report without the members that the plan of the link's owner does not include. Counting does
 * not depend on the plan, so after an upgrade the report shows the whole past. Members are listed
 * one by one, so that a new one needs a decision.
 */
export function limitToPlan(report: FullReport): AnalyticsResponse {
  if (planIncludes(report.plan, 'advancedAnalytics')) return report;
  const { totalClicks, uniqueClicks, activeDays, qrScans, clicksByDate, visitorsByDate } =
    report.analytics;
  const { clicksByCountry, clicksByDevice, recentClicks } = report.analytics;
  return {
    ...report,
    advanced: false,
    analytics: {
      totalClicks,
      uniqueClicks,
      activeDays,
      qrScans,
      clicksByDate,
      visitorsByDate,
      clicksByCountry,
      clicksByDevice,
      recentClicks: recentClicks.map(basicClick),
    },
  };
}

export const basicClick = ({
  clicked_at,
  country,
  device_type,
  browser,
}: RecentClick): RecentClick => ({
  clicked_at,
  country,
  device_type,
  browser,
});
