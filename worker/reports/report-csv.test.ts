import { describe, expect, it } from 'vitest';
import type { FullReport } from '#contract/analytics.ts';
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
  plan: 'premium',
  viewer: 'owner',
  advanced: true,
  setAside: { bots: 1, prefetches: 2 },
  lifetimeClicks: 3,
  imported: { clicks: 4, from: 'Bitly' },
  generatedAt: '2026-11-20T15:00:00.000Z',
  analytics: {
    totalClicks: 5,
    uniqueClicks: 6,
    activeDays: 7,
    qrScans: 8,
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
      totalClicks: 23,
      uniqueClicks: 24,
      activeDays: 25,
      clicksByDate: {},
      visitorsByDate: {},
    },
  },
};
const linesOf = (report: FullReport): string[] =>
  reportCsv(report).replaceAll('"', '').trim().split('\r\n');

describe('reportCsv', () => {
  it('writes every figure of a report in a line of its own', () => {
    expect(linesOf(REPORT)).toEqual([
      'section,name,value',
      'link,short_url,https://hop.example/code',
      'link,long_url,https://example.com/',
      'link,created_at,2026-01-02T03:04:05.000Z',
      'report,range,7d',
      'report,generated_at,2026-11-20T15:00:00.000Z',
      'total,clicks,5',
      'total,unique_visitors,6',
      'total,active_days,7',
      'total,qr_scans,8',
      'total,bots,1',
      'total,prefetches,2',
      'before_import,Bitly,4',
      'previous_period,from,2026-11-07',
      'previous_period,to,2026-11-13',
      'previous_period,clicks,23',
      'previous_period,unique_visitors,24',
      'previous_period,active_days,25',
      'clicks_by_date,2026-11-19,9',
      'visitors_by_date,2026-11-19,10',
      'clicks_by_hour,2026-11-19T08:00:00.000Z,13',
      'visitors_by_hour,2026-11-19T08:00:00.000Z,14',
      'clicks_by_country,IN,11',
      'clicks_by_city,Bengaluru, KA, IN,15',
      'clicks_by_city,Berlin, DE,16',
      'clicks_by_device,Mobile,12',
      'clicks_by_browser,Firefox,17',
      'clicks_by_system,Linux,18',
      'clicks_by_referrer,news.example,19',
      'clicks_by_utm_source,mail,20',
      'clicks_by_utm_medium,email,21',
      'clicks_by_utm_campaign,spring,22',
    ]);
  });

  it('leaves out a comparison and an import that a report does not have', () => {
    const analytics = { ...REPORT.analytics, previousPeriod: null };
    const lines = linesOf({ ...REPORT, analytics, imported: null });
    expect(lines.join('\n')).not.toMatch(/previous_period|before_import/);
    expect(lines).toHaveLength(26);
  });
});
