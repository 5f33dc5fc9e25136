import type { CountsByName, FullReport } from '#contract/analytics.ts';
import { csvText } from '#contract/csv.ts';

const hour = (ms: string): string => new Date(Number(ms)).toISOString();

type Row = readonly [section: string, name: string, value: string | number];

/**
 * The figures and counts of a report as CSV, one per line. Recent clicks are only in the JSON
 * export.
 */
export function reportCsv({
  url,
  range,
  analytics,
  setAside,
  imported,
  generatedAt,
}: FullReport): string {
  const counts = (
    section: string,
    values: CountsByName,
    nameOf = (name: string): string => name,
  ): Row[] => Object.entries(values).map(([name, clicks]) => [section, nameOf(name), clicks]);
  const previous = analytics.previousPeriod;
  const rows: Row[] = [
    ['link', 'short_url', url.short_url],
    ['link', 'long_url', url.long_url],
    ['link', 'created_at', url.created_at],
    ['report', 'range', range],
    ['report', 'generated_at', generatedAt],
    ['total', 'clicks', analytics.totalClicks],
    ['total', 'unique_visitors', analytics.uniqueClicks],
    ['total', 'active_days', analytics.activeDays],
    ['total', 'qr_scans', analytics.qrScans],
    ['total', 'bots', setAside.bots],
    ['total', 'prefetches', setAside.prefetches],
    ...(imported === null ? [] : ([['before_import', imported.from, imported.clicks]] as const)),
    ...(previous === null
      ? []
      : ([
          ['previous_period', 'from', previous.from],
          ['previous_period', 'to', previous.to],
          ['previous_period', 'clicks', previous.totalClicks],
          ['previous_period', 'unique_visitors', previous.uniqueClicks],
          ['previous_period', 'active_days', previous.activeDays],
        ] as const)),
    ...counts('clicks_by_date', analytics.clicksByDate),
    ...counts('visitors_by_date', analytics.visitorsByDate),
    ...counts('clicks_by_hour', analytics.clicksByHour, hour),
    ...counts('visitors_by_hour', analytics.visitorsByHour, hour),
    ...counts('clicks_by_country', analytics.clicksByCountry),
    ...analytics.clicksByCity.map(({ country, region, city, clicks }): Row => [
      'clicks_by_city',
      [city, region, country].filter((part) => part !== '').join(', '),
      clicks,
    ]),
    ...counts('clicks_by_device', analytics.clicksByDevice),
    ...counts('clicks_by_browser', analytics.clicksByBrowser),
    ...counts('clicks_by_system', analytics.clicksByOs),
    ...counts('clicks_by_referrer', analytics.clicksByReferrer),
    ...counts('clicks_by_utm_source', analytics.clicksByUtmSource),
    ...counts('clicks_by_utm_medium', analytics.clicksByUtmMedium),
    ...counts('clicks_by_utm_campaign', analytics.clicksByUtmCampaign),
  ];
  return csvText([['section', 'name', 'value'], ...rows]);
}
