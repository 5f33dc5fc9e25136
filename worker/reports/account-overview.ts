import { shortUrlOf } from '#contract/link-key.ts';
import type {
  OverviewAnalytics,
  OverviewRange,
  OverviewResponse,
  OverviewTotals,
} from '#contract/analytics.ts';
import { planIncludes } from '#contract/plan-features.ts';
import type { PlanType } from '#contract/site.ts';
import { DAY_MS } from '#contract/time.ts';
import { dayNumber, utcDate } from '#contract/periods.ts';
import { sumsOf } from '#worker/clicks/fold/counts.ts';
import type { Db } from '#worker/db/client.ts';
import { readAccountTotals } from '#worker/links/list/account-totals.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import {
  countAccount,
  findTopLinks,
  readAccountDays,
  readFirstDay,
  type AccountDay,
} from './account-days.ts';
import { buildDimensionPanels, buildTimePanels } from './panels.ts';
import type { PeriodRow } from './store.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

const DAYS: Readonly<Record<OverviewRange, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/**
 * The clicks on all links of a member that are not deleted, limited to the member's plan. Reads one
 * row per day with clicks, whatever the number of links and clicks.
 */
export async function buildOverview(
  db: Db,
  {
    userId,
    range,
    shortOrigin,
    now,
    waitUntil,
  }: {
    userId: string;
    range: OverviewRange;
    shortOrigin: string;
    now: number;
    waitUntil: WaitUntil;
  },
): Promise<OverviewResponse> {
  const countedAt = await countAccount(db, userId, now);
  const plan = await readPlan(db, userId, now);
  const first = dayNumber(now) - DAYS[range] + 1;
  const previousFirst = first - DAYS[range];
  const firstEver = await readFirstDay(db, userId);
  const compares =
    planIncludes(plan, 'advancedAnalytics') && firstEver !== null && firstEver <= previousFirst;
  const all = await readAccountDays(db, userId, compares ? previousFirst : first);
  const days = all.filter(({ day }) => day >= first);
  const { sums, totals } = totalsOf(days, now);
  const before = totalsOf(
    all.filter(({ day }) => day < first),
    now,
  );
  const period = { from: dateOf(previousFirst), to: dateOf(first - 1) };
  const top = await findTopLinks(db, userId, days);
  const analytics: OverviewAnalytics = {
    ...totals,
    ...buildDimensionPanels(days.map(({ counts }) => counts)),
    topLinks: top.map(({ code, title, target, clicks }) => ({
      short_code: code,
      short_url: shortUrlOf(shortOrigin, code),
      title,
      long_url: target,
      clicks,
    })),
    previousPeriod: compares ? { ...before.totals, ...period } : null,
  };
  return {
    range,
    plan,
    advanced: planIncludes(plan, 'advancedAnalytics'),
    links: (await readAccountTotals(db, userId, now, waitUntil)).links,
    hasClicks: firstEver !== null,
    countedAt: countedAt === null ? null : new Date(countedAt).toISOString(),
    generatedAt: new Date(now).toISOString(),
    setAside: { bots: sums.bot, prefetches: sums.prefetch },
    analytics: limitToPlan(analytics, plan),
  };
}

const dateOf = (day: number): string => utcDate(day * DAY_MS);

function totalsOf(days: readonly AccountDay[], now: number) {
  const rows = days.map(({ day, counts }): PeriodRow =>
    Object.assign(sumsOf(counts), { grain: 'd' as const, at: day * DAY_MS, scans: 0 }),
  );
  const { sums, activeDays, dates } = buildTimePanels(rows, now);
  const totals: OverviewTotals = {
    totalClicks: sums.human,
    uniqueClicks: sums.visitors,
    activeDays,
    ...dates,
  };
  return { sums, totals };
}

/** The members are listed one by one, so that a new one needs a decision. */
function limitToPlan(analytics: OverviewAnalytics, plan: PlanType): OverviewResponse['analytics'] {
  if (planIncludes(plan, 'advancedAnalytics')) return analytics;
  const {
    totalClicks,
    uniqueClicks,
    activeDays,
    clicksByDate,
    visitorsByDate,
    clicksByCountry,
    clicksByDevice,
    topLinks,
  } = analytics;
  return {
    totalClicks,
    uniqueClicks,
    activeDays,
    clicksByDate,
    visitorsByDate,
    clicksByCountry,
    clicksByDevice,
    topLinks,
  };
}
