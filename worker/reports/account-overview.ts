import type { ShortOrigins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import type {
  OverviewAnalytics,
  OverviewResponse,
  OverviewTotals,
} from '#contract/reports/overview.ts';
import { dayNumber, oldestDayKept, utcDate } from '#contract/reports/periods.ts';
import { planIncludes } from '#contract/plans/plan-features.ts';
import { dayNumbersOf, daysOfPeriod, type Period } from '#contract/reports/ranges.ts';
import type { Shortened } from '#contract/reports/times.ts';
import { DAY_MS } from '#contract/time.ts';
import { firstDetailedDay } from '#worker/clicks/accounts/read-link-days.ts';
import type { Db } from '#worker/db/client.ts';
import { nameDomains } from '#worker/db/domain-names.ts';
import { readAccountTotals } from '#worker/links/list/account-totals.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';
import {
  countAccount,
  findTopLinks,
  findTopLinksEver,
  readAccountDays,
  readFirstDay,
  type AccountDay,
} from './account-days.ts';
import { isLimited, readChosenDays, type Chosen } from './chosen-days.ts';
import { comparePeriods, previousOf } from './compare-periods.ts';
import { buildDimensionPanels, buildTimePanels } from './panels.ts';
import { withoutAdvanced } from './report.ts';
import { periodRows } from './store.ts';

/** What an overview is about. `now` is in ms. */
export type OverviewOptions = Chosen & {
  userId: string;
  period: Period;
  origins: ShortOrigins;
  now: number;
  waitUntil: WaitUntil;
};

/**
 * The clicks on all links of a member that are not deleted, or on those with a tag, a host or a
 * domain, limited to the member's plan. All links read one row per day with clicks, whatever the
 * number of links and clicks.
 */
export async function buildOverview(db: Db, options: OverviewOptions): Promise<OverviewResponse> {
  const { userId, tag, host, domain, origins, now, waitUntil } = options;
  const countedAt = await countAccount(db, userId, now);
  const plan = await readPlan(db, userId, now);
  const advanced = planIncludes(plan, 'advancedAnalytics');
  const firstEver = await readFirstDay(db, userId);
  const detailed = isLimited(options) ? 0 : firstDetailedDay(now);
  const wanted = options.period;
  const wantedPrevious =
    firstEver !== null && advanced
      ? previousOf(wanted, firstEver * DAY_MS, now, {
          hoursKept: dayNumber(wanted.from) - 1 >= detailed,
        })
      : null;
  const all = await readDays(db, options, wantedPrevious?.from ?? wanted.from);
  const period = { ...wanted, from: Math.max(wanted.from, all.first * DAY_MS) };
  // Without all its days, the previous period would look smaller than it was.
  const previous =
    wantedPrevious !== null && all.first <= dayNumber(wantedPrevious.from) ? wantedPrevious : null;
  const { first, last } = dayNumbersOf(period);
  const days = all.days.filter(({ day }) => day >= first && day <= last);
  const rows = all.days.flatMap(({ day, counts }) =>
    periodRows({ grain: 'd', first: day, counts }),
  );
  const shown = buildTimePanels(
    rows.filter(({ at }) => at >= period.from && at < period.to),
    now,
  );
  const totals: OverviewTotals = {
    totalClicks: shown.sums.human,
    uniqueClicks: shown.sums.visitors,
    activeDays: shown.activeDays,
    ...shown.dates,
  };
  const top =
    period.range === 'all' && !isLimited(options)
      ? await findTopLinksEver(db, userId, now)
      : await findTopLinks(db, userId, days);
  const named = await nameDomains(
    db,
    origins,
    top.map(({ code }) => code),
  );
  const analytics: OverviewAnalytics = {
    ...totals,
    ...shown.hours,
    ...buildDimensionPanels(days.map(({ counts }) => counts)),
    topLinks: top.map(({ code, title, target, clicks }) => ({
      code,
      shortUrl: shortUrlOf(named, code),
      title,
      longUrl: target,
      clicks,
    })),
    previousPeriod: previous === null ? null : comparePeriods(rows, period, previous, now),
  };
  const hasEarlier = firstEver !== null && Math.max(first, firstEver) < detailed;
  return {
    range: period.range,
    period: daysOfPeriod(period),
    shortenedBy: all.shortenedBy ?? (wanted.isShortened ? 'retention' : null),
    tag,
    host,
    domain,
    plan,
    advanced,
    links: all.links ?? (await readAccountTotals(db, userId, now, waitUntil)).links,
    hasClicks: firstEver !== null,
    countedAt:
      countedAt === null && !isLimited(options)
        ? null
        : new Date(isLimited(options) ? now : (countedAt ?? now)).toISOString(),
    generatedAt: new Date(now).toISOString(),
    setAside: { bots: shown.sums.bot, prefetches: shown.sums.prefetch },
    detailsSince: hasEarlier ? utcDate(detailed * DAY_MS) : null,
    analytics: advanced ? analytics : withoutAdvanced(analytics),
  };
}

type ReadDays = {
  days: AccountDay[];
  first: number;
  /** The number of chosen links; null for all links of the account. */
  links: number | null;
  shortenedBy: Shortened;
};

/** The days since `from` (ms) that are kept, of the links that the options choose. */
export async function readDays(
  db: Db,
  options: Pick<
    OverviewOptions,
    'userId' | 'tag' | 'host' | 'domain' | 'origins' | 'period' | 'now'
  >,
  from: number,
): Promise<ReadDays> {
  const { userId, period, now } = options;
  const last = dayNumber(period.to - 1);
  if (!isLimited(options)) {
    const days = await readAccountDays(db, userId, dayNumber(from));
    return {
      days: days.filter(({ day }) => day <= last),
      first: dayNumber(from),
      links: null,
      shortenedBy: null,
    };
  }
  const kept = Math.max(dayNumber(from), dayNumber(oldestDayKept(now)));
  const { days, first, links } = await readChosenDays(db, options, { first: kept, last });
  const isRetention = dayNumber(period.from) < kept;
  const isSize = first > Math.max(kept, dayNumber(period.from));
  return { days, first, links, shortenedBy: isSize ? 'size' : isRetention ? 'retention' : null };
}
