import type { AdvancedAnalytics, BasicAnalytics, FullReport } from '#contract/analytics.ts';

/** Returns a full report of a link without clicks. The given members override its defaults. */
export const makeReport = ({
  analytics,
  created = '2024-01-01T12:00:00Z',
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
  range: 'all',
  period: { from: null, to: '2026-11-21' },
  shortenedBy: null,
  plan: 'premium',
  viewer: 'owner',
  setAside: { bots: 0, prefetches: 0 },
  lifetime: { totalClicks: 5, uniqueClicks: 5, activeDays: 1 },
  imported: null,
  generatedAt: '2026-11-21T10:20:00Z',
  ...frame,
  advanced: true,
  analytics: {
    totalClicks: 0,
    uniqueClicks: 0,
    activeDays: 0,
    qrScans: 0,
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
