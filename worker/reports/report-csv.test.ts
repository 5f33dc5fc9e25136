import { describe, expect, it } from 'vitest';
import type { CountsByName, FullReport } from '#contract/reports/analytics.ts';
import { reportCsv } from './report-csv.ts';

/** Every figure has a value of its own, so that none can stand in the line of another. */
const REPORT: FullReport = {
  url: {
    short_code: 'code',
    short_url: 'https://hop.example/code',
    long_url: 'https://example.com/',
    created_at: '2026-01-02T03:04:05.000Z',
  },
  range: '7d',
  period: { from: '2026-11-18', to: '2026-11-20' },
  shortenedBy: null,
  plan: 'premium',
  viewer: 'owner',
  advanced: true,
  setAside: { bots: 1, prefetches: 2 },
  lifetime: { totalClicks: 90, uniqueClicks: 91, activeDays: 92 },
  imported: { clicks: 4, from: 'Bitly' },
  generatedAt: '2026-11-20T15:00:00.000Z',
  analytics: {
    totalClicks: 5,
    uniqueClicks: 6,
    activeDays: 7,
    qrScans: 8,
    destinations: [],
    clicksByDate: { '2026-11-19': 9 },
    visitorsByDate: { '2026-11-19': 10 },
    clicksByCountry: { IN: 11 },
    clicksByDevice: { Mobile: 12 },
    recentClicks: [],
    clicksByHour: { [Date.UTC(2026, 10, 19, 8)]: 13 },
    visitorsByHour: { [Date.UTC(2026, 10, 19, 8)]: 14 },
    clicksByCity: [
      { country: 'IN', region: 'KA', city: 'Bengaluru', clicks: 15 },
      { country: 'DE', region: '', city: 'Berlin', clicks: 16 },
    ],
    clicksByBrowser: { Firefox: 17 },
    clicksByOs: { Linux: 18 },
    clicksByReferrer: { 'news.example': 19 },
    clicksByUtmSource: { mail: 20 },
    clicksByUtmMedium: { email: 21 },
    clicksByUtmCampaign: { spring: 22 },
    previousPeriod: {
      from: '2026-11-07',
      to: '2026-11-13',
      until: '2026-11-13T15:00:00.000Z',
      current: { totalClicks: 93, uniqueClicks: 94, activeDays: 95 },
      totalClicks: 23,
      uniqueClicks: 24,
      activeDays: 25,
      clicksByDate: {},
      visitorsByDate: {},
    },
  },
};
const linesOf = (text: string): string[] => text.replaceAll('"', '').trim().split('\r\n');
const LINK = 'https://hop.example/code';

describe('reportCsv', () => {
  it('writes one row for each figure of a report, and days without clicks', () => {
    const [columns, ...rows] = linesOf(reportCsv(REPORT));
    expect(columns).toBe('link,dimension,value,clicks,visitors');
    expect(rows).toEqual(
      [
        'total,,5,6',
        'previous_period,2026-11-07/2026-11-13T15:00:00.000Z,23,24',
        'date,2026-11-18,0,0',
        'date,2026-11-19,9,10',
        'date,2026-11-20,0,0',
        'hour,2026-11-19T08:00:00.000Z,13,14',
        'country,IN,11,',
        'city,Bengaluru, KA, IN,15,',
        'city,Berlin, DE,16,',
        'device,Mobile,12,',
        'browser,Firefox,17,',
        'system,Linux,18,',
        'referrer,news.example,19,',
        'utm_source,mail,20,',
        'utm_medium,email,21,',
        'utm_campaign,spring,22,',
        'bots,,1,',
        'prefetches,,2,',
        'qr_scans,,8,',
        'before_import,Bitly,4,',
      ].map((row) => `${LINK},${row}`),
    );
  });

  it('starts all time with the months before the days, and the creation of the link', () => {
    const read = (created_at: string, clicksByDate: CountsByName): string[] =>
      linesOf(
        reportCsv({
          ...REPORT,
          url: { ...REPORT.url, created_at },
          period: { from: null, to: '2026-11-20' },
          analytics: { ...REPORT.analytics, clicksByDate },
        }),
      ).flatMap((row) => (row.includes(',date,') ? [row.slice(`${LINK},date,`.length)] : []));
    expect(read('2026-11-19T23:00:00.000Z', {})).toEqual(['2026-11-19,0,10', '2026-11-20,0,0']);
    const old = read('2024-01-02T03:04:05.000Z', { '2024-01-01': 7, '2025-10-02': 1 });
    expect(old.slice(0, 3)).toEqual(['2024-01-01,7,0', '2025-10-01,0,0', '2025-10-02,1,0']);
    expect(old).toHaveLength(1 + 416);
  });

  it('leaves out a comparison and an import that a report does not have', () => {
    const analytics = { ...REPORT.analytics, previousPeriod: null };
    const lines = linesOf(reportCsv({ ...REPORT, analytics, imported: null }));
    expect(lines.join('\n')).not.toMatch(/previous_period|before_import/);
    expect(lines).toHaveLength(19);
  });
});
