import type { FilteredReport, NullReason } from '#contract/reports/analytics.ts';
import { ADVANCED_ANALYTICS, planIncludes } from '#contract/plans/plan-features.ts';
import {
  FILTER_PANELS,
  formatFilter,
  GROUP_OF,
  type Filter,
} from '#contract/reports/report-filter.ts';
import type { PlanType } from '#contract/site.ts';
import { oldestDayKept, startOfDay, utcDate } from '#contract/reports/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import { answerFilters, partsFor, type Answers } from './answer-filters.ts';
import { valueOf } from './filter-values.ts';
import { readRecentClicks } from './panels.ts';
import { readParts } from './read-parts.ts';
import {
  basicClick,
  planOfOwner,
  reportFrame,
  type ReportOptions,
  type VisibleLink,
} from './report.ts';

/**
 * Whether the plan allows this filter. A filter by a panel that the plan does not show would reveal
 * it.
 */
export function isInPlan(plan: PlanType, { dimension }: Filter): boolean {
  return (
    planIncludes(plan, 'advancedAnalytics') ||
    !Object.hasOwn(ADVANCED_ANALYTICS, FILTER_PANELS[dimension])
  );
}

/**
 * Builds the report of the clicks that match all filters. Places, agents and referrers are counted
 * apart, and together only as pairs of a country with a device or a referrer. A panel is null if
 * nothing counts it together with the filters.
 */
export async function buildFilteredReport(
  db: Db,
  found: VisibleLink,
  filters: readonly Filter[],
  options: ReportOptions,
): Promise<{ report: FilteredReport; rowsRead: number }> {
  const { period, now } = options;
  const plan = planOfOwner(found, now);
  const advanced = planIncludes(plan, 'advancedAnalytics');
  const oldestDay = oldestDayKept(now);
  const { rows, activeDays, rowsRead } = await readParts(
    openShard(db, found.link.shard),
    found.link.id,
    { from: startOfDay(period.from), to: period.to, oldestDay, parts: partsFor(filters) },
  );
  const { members, notYet, since, unlisted } = answerFilters(rows, filters, oldestDay);
  const recentOf = (keep?: Parameters<typeof readRecentClicks>[3]) =>
    readRecentClicks(found.totals?.recent ?? '[]', period, now, keep);
  const recent = recentOf((values) =>
    filters.every(
      ({ dimension, value }) => valueOf(dimension, values[GROUP_OF[dimension]]) === value,
    ),
  );
  const analytics: FilteredReport['analytics'] = {
    totalClicks: members.totalClicks ?? null,
    uniqueClicks: null,
    qrScans: null,
    destinations: null,
    activeDays: members.activeDays ?? null,
    clicksByDate: members.clicksByDate ?? null,
    visitorsByDate: null,
    clicksByCountry: members.clicksByCountry ?? null,
    clicksByDevice: members.clicksByDevice ?? null,
    recentClicks: advanced ? recent : recent.map(basicClick),
    ...(advanced && {
      clicksByCity: members.clicksByCity ?? null,
      clicksByBrowser: members.clicksByBrowser ?? null,
      clicksByOs: members.clicksByOs ?? null,
      clicksByReferrer: members.clicksByReferrer ?? null,
      clicksByUtmSource: null,
      clicksByUtmMedium: null,
      clicksByUtmCampaign: null,
      clicksByHour: null,
      visitorsByHour: null,
      previousPeriod: null,
    }),
  };
  const report: FilteredReport = {
    ...reportFrame(found, plan, options),
    lifetime: {
      totalClicks: found.totals?.human ?? 0,
      uniqueClicks: found.totals?.visitors ?? 0,
      activeDays,
    },
    filters: filters.map(formatFilter),
    advanced,
    analytics,
    reasons: reasonsFor(analytics, notYet),
    pairsSince: since === 0 ? null : utcDate(since),
    unlisted,
    recent: { matching: recent.length, of: recentOf().length },
  };
  return { report, rowsRead };
}

const reasonsFor = (
  analytics: FilteredReport['analytics'],
  notYet: Answers['notYet'],
): FilteredReport['reasons'] =>
  Object.fromEntries(
    Object.entries(analytics)
      .filter(([, value]) => value === null)
      .map(([name]): [string, NullReason] => [
        name,
        [...notYet].some((member) => member === name) ? 'not_counted_yet' : 'counted_apart',
      ]),
  );
