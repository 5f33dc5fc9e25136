import type { AdvancedAnalytics, BasicAnalytics, FullReport } from '#contract/reports/analytics.ts';
import {
  daysOfPeriod,
  periodOf,
  type DaysOfRange,
  type ReportRange,
} from '#contract/reports/ranges.ts';

/** When the report was made. */
const NOW = '2026-11-21T10:20:00Z';

const periodOfReport = (range: ReportRange): DaysOfRange =>
  daysOfPeriod(periodOf({ range: range === 'custom' ? 'all' : range }, Date.parse(NOW)));

/**
 * Returns a full report of a link without clicks, with the period of its `range`. The given members
 * override its defaults.
 */
export const makeReport = ({
  analytics,
  created = '2024-01-01T12:00:00Z',
  range = 'all',
  ...frame
}: Partial<Omit<FullReport, 'analytics' | 'advanced'>> & {
  analytics?: Partial<BasicAnalytics & AdvancedAnalytics>;
  created?: string;
} = {}): FullReport => ({
  url: {
    short_code: 'a',
    short_url: 'https://hop.example/a',
    long_url: 'https://example.com/',
    created_at: created,
  },
  range,
  period: periodOfReport(range),
  shortenedBy: null,
  plan: 'premium',
  viewer: 'owner',
  setAside: { bots: 0, prefetches: 0 },
  lifetime: { totalClicks: 5, uniqueClicks: 5, activeDays: 1 },
  imported: null,
  generatedAt: NOW,
  ...frame,
  advanced: true,
  analytics: {
    totalClicks: 0,
    uniqueClicks: 0,
    activeDays: 0,
    qrScans: 0,
    destinations: [],
    clicksByDate: {},
    visitorsByDate: {},
    clicksByCountry: {},
    clicksByDevice: {},
    recentClicks: [],
    clicksByCity: [],
    clicksByBrowser: {},
    clicksByOs: {},
    clicksByReferrer: {},
    clicksByUtmSource: {},
    clicksByUtmMedium: {},
    clicksByUtmCampaign: {},
    clicksByHour: {},
    visitorsByHour: {},
    previousPeriod: null,
    ...analytics,
  },
});
