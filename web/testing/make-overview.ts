import type { OverviewResponse } from '#contract/reports/overview.ts';

/**
 * Returns the overview of an account with 40 clicks in 30 days. The given members override its
 * defaults.
 */
export const makeOverview = (rest: Partial<OverviewResponse> = {}): OverviewResponse => ({
  range: '30d',
  period: { from: '2026-10-23', to: '2026-11-21' },
  shortenedBy: null,
  tag: null,
  host: null,
  domain: null,
  detailsSince: null,
  plan: 'free',
  advanced: false,
  links: 300,
  hasClicks: true,
  countedAt: '2026-11-21T10:00:00Z',
  generatedAt: '2026-11-21T10:20:00Z',
  setAside: { bots: 0, prefetches: 0 },
  analytics: {
    totalClicks: 40,
    uniqueClicks: 20,
    activeDays: 1,
    clicksByDate: { '2026-11-20': 40 },
    visitorsByDate: { '2026-11-20': 20 },
    clicksByCountry: { IN: 40 },
    clicksByDevice: { Mobile: 40 },
    topLinks: [
      {
        code: 'spring',
        shortUrl: 'https://h.example/spring',
        title: '',
        longUrl: 'https://example.com/',
        clicks: 30,
      },
    ],
  },
  ...rest,
});
