import { Hono } from 'hono';
import type { AnalyticsResponse, CountsByName, Figures } from '#contract/reports/analytics.ts';
import { periodOf } from '#contract/reports/ranges.ts';
import {
  accountAnalyticsQuery,
  DIMENSIONS,
  linkAnalyticsQuery,
  type AccountAnalytics,
  type Dimension,
  type LinkAnalytics,
} from '#contract/v1/v1-analytics.ts';
import { readAccountReport } from '#worker/reports/account-report.ts';
import { cityName } from '#worker/reports/panels.ts';
import { readPrefixReport } from '#worker/reports/prefix-report.ts';
import { buildReport, findVisibleLink, limitToPlan } from '#worker/reports/report.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError, type ApiError } from '#worker/http/errors.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { readQuery, requireKey } from '#worker/http/validate.ts';
import { requireLink } from './link-json.ts';

export const analyticsV1 = new Hono<ApiEnv>();

analyticsV1.get('/links/:id/analytics', async (c) => {
  const { range, interval, dimensions } = readQuery(c, linkAnalyticsQuery);
  const { id, code } = await requireLink(c);
  const now = c.get('now');
  // A key never has an administrator's rights.
  const visible = await findVisibleLink(c.get('db'), code, {
    id: requireKey(c).userId,
    role: 'user',
  });
  if (visible === undefined) throw apiError('not_own_link');
  const report = limitToPlan(
    (
      await buildReport(c.get('db'), visible, {
        period: periodOf({ range }, now),
        origins: c.get('origins'),
        now,
      })
    ).report,
  );
  const counts = countsOf(report);
  const requested = dimensions?.split(',') ?? Object.keys(counts);
  if (requested.some((name) => !Object.hasOwn(counts, name))) throw isAdvanced('dimensions');
  const { totalClicks, uniqueClicks, activeDays } = report.analytics;
  return c.json({
    linkId: requireKey(c).linkIds.show(id),
    code,
    plan: report.plan,
    range,
    interval,
    totals: { clicks: totalClicks, visitors: uniqueClicks, activeDays },
    bots: report.setAside.bots,
    prefetches: report.setAside.prefetches,
    qrScans: report.analytics.qrScans,
    destinations: report.analytics.destinations,
    series: seriesOf(report, interval),
    dimensions: Object.fromEntries(
      Object.entries(counts).filter(([name]) => requested.includes(name)),
    ),
    previousPeriod: previousOf(report),
    generatedAt: report.generatedAt,
  } satisfies LinkAnalytics);
});

analyticsV1.get('/analytics', async (c) => {
  const { range } = readQuery(c, accountAnalyticsQuery);
  const { userId, codePrefix, linkIds } = requireKey(c);
  const now = c.get('now');
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const { links, totals, days, top, countedAt } =
    codePrefix === ''
      ? await readAccountReport(c.get('db'), { userId, range, now, waitUntil })
      : await readPrefixReport(c.get('db'), { userId, codePrefix, range, now });
  return c.json({
    range,
    links,
    totals,
    series: days.map(({ at, clicks }) => ({ start: new Date(at).toISOString(), clicks })),
    topLinks: top.map(({ id, code, clicks }) => ({
      linkId: linkIds.show(id),
      code,
      shortUrl: shortUrlOf(c.get('origins'), code),
      clicks,
    })),
    countedAt: countedAt === null ? null : new Date(countedAt).toISOString(),
    generatedAt: new Date(now).toISOString(),
  } satisfies AccountAnalytics);
});

const isAdvanced = (parameter: string): ApiError =>
  apiError('advanced_analytics', { detail: parameter });

const toList = (counts: CountsByName) =>
  Object.entries(counts).map(([value, clicks]) => ({ value, clicks }));

function countsOf(
  report: AnalyticsResponse,
): Partial<Record<Dimension, { value: string; clicks: number }[]>> {
  const { clicksByCountry, clicksByDevice } = report.analytics;
  const basic = { country: toList(clicksByCountry), device: toList(clicksByDevice) };
  if (!report.advanced) return basic;
  const { clicksByCity, clicksByBrowser, clicksByOs, clicksByReferrer } = report.analytics;
  const { clicksByUtmSource, clicksByUtmMedium, clicksByUtmCampaign } = report.analytics;
  const cities = clicksByCity.map(({ clicks, ...place }) => ({ value: cityName(place), clicks }));
  const all = {
    ...basic,
    city: cities,
    browser: toList(clicksByBrowser),
    os: toList(clicksByOs),
    referrer: toList(clicksByReferrer),
    utmSource: toList(clicksByUtmSource),
    utmMedium: toList(clicksByUtmMedium),
    utmCampaign: toList(clicksByUtmCampaign),
  };
  return Object.fromEntries(DIMENSIONS.map((name) => [name, all[name]]));
}

function seriesOf(
  report: AnalyticsResponse,
  interval: LinkAnalytics['interval'],
): LinkAnalytics['series'] {
  if (interval === 'hour') {
    if (!report.advanced) throw isAdvanced('interval');
    const hours = Object.entries(report.analytics.clicksByHour);
    return hours.map(([at, clicks]) => ({ start: new Date(Number(at)).toISOString(), clicks }));
  }
  const sums = new Map<string, number>();
  for (const [date, clicks] of Object.entries(report.analytics.clicksByDate)) {
    const start = `${interval === 'day' ? date : `${date.slice(0, 7)}-01`}T00:00:00.000Z`;
    sums.set(start, (sums.get(start) ?? 0) + clicks);
  }
  return [...sums].map(([start, clicks]) => ({ start, clicks }));
}

function previousOf(report: AnalyticsResponse): LinkAnalytics['previousPeriod'] {
  const previous = report.advanced ? report.analytics.previousPeriod : null;
  if (previous === null) return null;
  const { from, to, until, current } = previous;
  return { from, to, until, ...figuresOf(previous), current: figuresOf(current) };
}

const figuresOf = ({ totalClicks, uniqueClicks, activeDays }: Figures) => ({
  clicks: totalClicks,
  visitors: uniqueClicks,
  activeDays,
});
