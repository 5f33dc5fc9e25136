import type { CountsByName, FullReport } from '#contract/reports/analytics.ts';
import { csvText } from '#contract/files/csv.ts';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { DAY_MS } from '#contract/time.ts';
import { oldestDayKept, utcDate } from '#contract/reports/periods.ts';
import { cityName } from './panels.ts';

type Row = readonly [dimension: string, value: string, clicks: number, visitors: number | ''];
const COLUMNS = ['link', 'dimension', 'value', 'clicks', 'visitors'];

type Counted = OverviewResponse['analytics'] | FullReport['analytics'];

/**
 * A report as one table that spreadsheets can group and pivot: a row for each value of a dimension.
 * Every day is a row, also without clicks; before the first day that is kept by day, months with
 * clicks are. Recent clicks are only in the JSON export.
 */
export function reportCsv({ analytics, period, setAside, imported, url }: FullReport): string {
  const from = period.from ?? url.created_at.slice(0, 10);
  const rows: Row[] = [
    ...rowsOf(analytics, { ...period, from }, setAside),
    ['qr_scans', '', analytics.qrScans, ''],
    ...analytics.destinations.map(({ url: href, clicks, visitors }): Row => [
      'destination',
      href ?? '',
      clicks,
      visitors,
    ]),
    ...(imported === null
      ? []
      : ([['before_import', imported.from, imported.clicks, '']] as const)),
  ];
  return csvText([COLUMNS, ...tableOf(url.short_url, rows)]);
}

/** An overview as the table of a report, with its most clicked links. */
export function overviewCsv({ analytics, period, setAside }: OverviewResponse): string {
  const from = period.from ?? Object.keys(analytics.clicksByDate)[0] ?? period.to;
  const links = analytics.topLinks.map(({ shortUrl, clicks }) => [
    shortUrl,
    'total',
    '',
    clicks,
    '',
  ]);
  const rows = rowsOf(analytics, { ...period, from }, setAside);
  return csvText([COLUMNS, ...tableOf('', rows), ...links]);
}

const tableOf = (link: string, rows: readonly Row[]) =>
  rows.map(([dimension, value, clicks, visitors]) => [link, dimension, value, clicks, visitors]);

function rowsOf(
  analytics: Counted,
  period: { from: string; to: string },
  setAside: FullReport['setAside'],
): Row[] {
  const { clicksByHour = {}, visitorsByHour = {}, previousPeriod: previous = null } = analytics;
  const cities = (analytics.clicksByCity ?? []).map(
    ({ clicks, ...city }) => [cityName(city), clicks] as const,
  );
  const dimensions: Record<string, CountsByName | undefined> = {
    country: analytics.clicksByCountry,
    city: Object.fromEntries(cities),
    device: analytics.clicksByDevice,
    browser: analytics.clicksByBrowser,
    system: analytics.clicksByOs,
    referrer: analytics.clicksByReferrer,
    utm_source: analytics.clicksByUtmSource,
    utm_medium: analytics.clicksByUtmMedium,
    utm_campaign: analytics.clicksByUtmCampaign,
  };
  return [
    ['total', '', analytics.totalClicks, analytics.uniqueClicks],
    ...(previous === null
      ? []
      : ([
          [
            'previous_period',
            `${previous.from}/${previous.until}`,
            previous.totalClicks,
            previous.uniqueClicks,
          ],
        ] as const)),
    ...datesOf(analytics.clicksByDate, period).map((date): Row => [
      'date',
      date,
      analytics.clicksByDate[date] ?? 0,
      analytics.visitorsByDate[date] ?? 0,
    ]),
    ...Object.entries(clicksByHour).map(([hour, clicks]): Row => [
      'hour',
      new Date(Number(hour)).toISOString(),
      clicks,
      visitorsByHour[hour] ?? 0,
    ]),
    ...Object.entries(dimensions).flatMap(([dimension, counts = {}]) =>
      Object.entries(counts).map(([value, clicks]): Row => [dimension, value, clicks, '']),
    ),
    ['bots', '', setAside.bots, ''],
    ['prefetches', '', setAside.prefetches, ''],
  ];
}

/** The days of a period that are kept by day, after the earlier months with clicks. */
function datesOf(clicksByDate: CountsByName, { from, to }: { from: string; to: string }): string[] {
  const last = Date.parse(to);
  const first = Math.max(Date.parse(from), oldestDayKept(last));
  const months = Object.keys(clicksByDate).filter((date) => Date.parse(date) < first);
  const days = Array.from({ length: Math.max(0, (last - first) / DAY_MS + 1) }, (_, i) =>
    utcDate(first + i * DAY_MS),
  );
  return [...months, ...days];
}
