import type { ShortOrigins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import type {
  AdvancedAnalytics,
  AnalyticsResponse,
  FullReport,
  RecentClick,
} from '#contract/reports/analytics.ts';
import { importSource } from '#contract/files/import-formats.ts';
import { CHART_HOURS_DAYS } from '#contract/limits.ts';
import { ADVANCED_ANALYTICS, planIncludes } from '#contract/plans/plan-features.ts';
import { daysOfPeriod, type Period } from '#contract/reports/ranges.ts';
import type { PlanType } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { dayNumber, startOfDay } from '#contract/reports/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import { subscriptionAt } from '#worker/plans/subscription.ts';
import { countDestinations } from './count-destinations.ts';
import { comparePeriods, previousOf } from './compare-periods.ts';
import { buildDimensionPanels, buildTimePanels, readRecentClicks } from './panels.ts';
import { findLinkWithTotals, readReportCounts, type LinkWithTotals } from './store.ts';

/** A link whose clicks `viewer` may see. */
export type VisibleLink = LinkWithTotals & Pick<FullReport, 'viewer'>;

/** What a report is about. Times are in ms. */
export type ReportOptions = { period: Period; origins: ShortOrigins; now: number };

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

/** The members that every report has about its link and itself. */
export const reportFrame = (
  { link, viewer }: VisibleLink,
  plan: PlanType,
  { period, origins, now }: ReportOptions,
) => ({
  url: {
    short_code: link.code,
    short_url: shortUrlOf(origins, link.code),
    long_url: link.target,
    created_at: new Date(link.created_at).toISOString(),
  },
  range: period.range,
  period: daysOfPeriod(period),
  shortenedBy: period.isShortened ? ('retention' as const) : null,
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
  options: ReportOptions,
): Promise<{ report: FullReport; rowsRead: number }> {
  const { period, now } = options;
  const { link } = found;
  const plan = planOfOwner(found, now);
  const previous = planIncludes(plan, 'advancedAnalytics')
    ? previousOf(period, link.imported_at ?? link.created_at, now)
    : null;
  const { totals, activeDays, periods, counts, rowsRead } = await readReportCounts(
    openShard(db, link.shard),
    found,
    {
      // Places, agents and referrers are counted by day.
      from: startOfDay(period.from),
      to: period.endsNow ? null : period.to,
      periodsFrom: previous?.from ?? period.from,
      hoursOf: previous === null ? null : dayNumber(previous.until),
      now,
    },
  );
  const shown = buildTimePanels(
    periods.filter(({ at }) => at >= period.from && at < period.to),
    now,
  );
  const figures = period.range === 'all' ? totals : shown.sums;
  const report: FullReport = {
    ...reportFrame(found, plan, options),
    advanced: true,
    analytics: {
      totalClicks: figures.human,
      uniqueClicks: figures.visitors,
      activeDays: shown.activeDays,
      qrScans: shown.sums.scans,
      destinations: await countDestinations(db, link, counts),
      ...shown.dates,
      ...shown.hours,
      ...buildDimensionPanels(counts),
      previousPeriod: previous === null ? null : comparePeriods(periods, period, previous, now),
      recentClicks: readRecentClicks(totals.recent, period, now),
    },
    setAside: { bots: figures.bot, prefetches: figures.prefetch },
    lifetime: {
      totalClicks: totals.human,
      uniqueClicks: totals.visitors,
      activeDays: activeDays ?? shown.activeDays,
    },
  };
  return { report, rowsRead };
}

/** Whether the plan includes the hours of a link that was created at `createdAt`. Times are in ms. */
export const includesHours = (plan: PlanType, createdAt: number, now: number): boolean =>
  planIncludes(plan, 'advancedAnalytics') || now - createdAt < CHART_HOURS_DAYS * DAY_MS;

/**
 * Analytics without the members that Free does not include. `ADVANCED_ANALYTICS` names every member
 * of their type.
 */
export function withoutAdvanced<T extends object>(analytics: T): Omit<T, keyof AdvancedAnalytics>;
export function withoutAdvanced(analytics: object): object {
  return Object.fromEntries(
    Object.entries(analytics).filter(([name]) => !Object.hasOwn(ADVANCED_ANALYTICS, name)),
  );
}

/**
 * The report without the members that the plan of the link's owner does not include. Counting does
 * not depend on the plan, so after an upgrade the report shows the whole past.
 */
export function limitToPlan(report: FullReport): AnalyticsResponse {
  const { plan, url, generatedAt, analytics } = report;
  if (planIncludes(plan, 'advancedAnalytics')) return report;
  const { clicksByHour, visitorsByHour, recentClicks } = analytics;
  const hasHours = includesHours(plan, Date.parse(url.created_at), Date.parse(generatedAt));
  return {
    ...report,
    advanced: false,
    analytics: {
      ...withoutAdvanced(analytics),
      ...(hasHours && { clicksByHour, visitorsByHour }),
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
