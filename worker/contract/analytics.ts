import * as z from 'zod/mini';

export const RANGES = ['7d', '30d', '90d', 'all'] as const;
export type Range = (typeof RANGES)[number];
/** GET /api/analytics/:code?range= */
export const analyticsQuery = z.object({ range: z._default(z.enum(RANGES), 'all') });

/** Name → human clicks. '' never appears: a blank country is 'Unknown', a blank referrer 'Direct'. */
export type Counts = Record<string, number>;

export type RecentClick = {
  clicked_at: string;
  country: string;
  city: string;
  device_type: string;
  browser: string;
  os: string;
  referrer: string;
};

/** The spec's shape (§3) and what goes beyond it. Totals and every panel count humans; `setAside` says what else came. */
export type AnalyticsResponse = {
  url: { short_code: string; short_url: string; long_url: string; created_at: string };
  range: Range;
  analytics: {
    totalClicks: number;
    /** One person counts once per link and day (decision 20). */
    uniqueClicks: number;
    activeDays: number;
    /** 'YYYY-MM-DD' (UTC) → clicks, ascending, days without clicks left out. Beyond 13 months: the first of the month. */
    clicksByDate: Counts;
    /** Country code (ISO 3166-1 alpha-2) or 'Unknown'. */
    clicksByCountry: Counts;
    /** The biggest 100, by count. 'Other' is what a day's cap on different places has put together. */
    clicksByCity: { country: string; region: string; city: string; clicks: number }[];
    clicksByDevice: Counts;
    clicksByBrowser: Counts;
    clicksByOs: Counts;
    clicksByReferrer: Counts;
    /** Epoch ms of each of the last hours with clicks → clicks. */
    clicksByHour: Counts;
    recentClicks: RecentClick[];
  };
  setAside: { bots: number; prefetches: number };
  /** RFC 3339: when this report was made. */
  generatedAt: string;
};
