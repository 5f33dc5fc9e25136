import type { FilteredReport, Range } from '#contract/analytics.ts';
import { ADVANCED_ANALYTICS, planIncludes } from '#contract/plan-features.ts';
import {
  cityValue,
  FILTER_PANELS,
  formatFilter,
  type Filter,
  type FilterDimension,
} from '#contract/report-filter.ts';
import type { PlanType } from '#contract/site.ts';
import { noCounts, type Dim } from '#worker/clicks/fold/counts.ts';
import { oldestDayKept, startOfDay } from '#contract/periods.ts';
import type { Db } from '#worker/db/client.ts';
import { openShard } from '#worker/db/shards.ts';
import {
  buildDimensionPanels,
  parseAgent,
  parsePlace,
  parseReferrer,
  readRecentClicks,
  toDates,
} from './panels.ts';
import { basicClick, planOfOwner, reportFrame, startOfRange, type VisibleLink } from './report.ts';
import { readDimension, type DatedDimRow } from './store.ts';

/** The stored dimension that contains each filter dimension. */
const DIM_OF = {
  country: 'place',
  city: 'place',
  device: 'agent',
  browser: 'agent',
  os: 'agent',
  referrer: 'ref',
} as const satisfies Record<FilterDimension, Dim>;

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
 * Builds the report of the clicks that match `filter`. Clicks by place, by agent and by referrer
 * are counted separately, so a panel of another stored dimension is null.
 */
export async function buildFilteredReport(
  db: Db,
  found: VisibleLink,
  range: Range,
  filter: Filter,
  shortOrigin: string,
  now: number,
): Promise<{ report: FilteredReport; rowsRead: number }> {
  const plan = planOfOwner(found, now);
  const advanced = planIncludes(plan, 'advancedAnalytics');
  const from = startOfRange(range, now);
  const oldestDay = oldestDayKept(now);
  const dim = DIM_OF[filter.dimension];
  const { rows, rowsRead } = await readDimension(openShard(db, found.link.shard), found.link.id, {
    from: startOfDay(from),
    oldestDay,
    dim,
  });
  const matches = (val: string): boolean => valueOf(filter.dimension, val) === filter.value;
  const matching = rows.filter(({ val }) => matches(val));
  const dates = sumBy(matching, ({ at }) => at);
  const panels = buildDimensionPanels([
    { ...noCounts(), [dim]: sumBy(matching, ({ val }) => val) },
  ]);
  const recent = readRecentClicks(found.totals?.recent ?? '[]', from, now, (values) =>
    matches(values[dim]),
  );
  const report: FilteredReport = {
    ...reportFrame(found, plan, range, shortOrigin, now),
    filter: formatFilter(filter),
    advanced,
    analytics: {
      totalClicks: matching.reduce((sum, { n }) => sum + n, 0),
      uniqueClicks: null,
      qrScans: null,
      // Days that are stored only as a month cannot be counted for a single value.
      activeDays: matching.some(({ at }) => at < oldestDay) ? null : dates.size,
      clicksByDate: toDates(dates),
      visitorsByDate: null,
      clicksByCountry: dim === 'place' ? panels.clicksByCountry : null,
      clicksByDevice: dim === 'agent' ? panels.clicksByDevice : null,
      recentClicks: advanced ? recent : recent.map(basicClick),
      ...(advanced && {
        clicksByCity: dim === 'place' ? panels.clicksByCity : null,
        clicksByBrowser: dim === 'agent' ? panels.clicksByBrowser : null,
        clicksByOs: dim === 'agent' ? panels.clicksByOs : null,
        clicksByReferrer: dim === 'ref' ? panels.clicksByReferrer : null,
        clicksByUtmSource: null,
        clicksByUtmMedium: null,
        clicksByUtmCampaign: null,
        clicksByHour: null,
        visitorsByHour: null,
        previousPeriod: null,
      }),
    },
  };
  return { report, rowsRead };
}

/**
 * Returns the name under which panels list a stored value. A stored value has several dimensions, for
 * example country, region and city; this is the name in one of them.
 */
function valueOf(dimension: FilterDimension, val: string): string {
  if (dimension === 'referrer') return parseReferrer(val);
  if (dimension === 'city') return cityValue(parsePlace(val));
  return dimension === 'country' ? parsePlace(val).country : parseAgent(val)[dimension];
}

function sumBy<K>(rows: readonly DatedDimRow[], keyOf: (row: DatedDimRow) => K): Map<K, number> {
  const sums = new Map<K, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.n);
  return sums;
}
