import * as z from 'zod/mini';

export const RANGES = ['7d', '30d', '90d', 'all'] as const;
export type Range = (typeof RANGES)[number];
/** GET /api/analytics/:code?range= */
export const analyticsQuery = z.object({ range: z._default(z.enum(RANGES), 'all') });

/** Name → human clicks. An empty country is 'Unknown', an empty referrer 'Direct'. */
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

/** Totals and all panels count human clicks only. `setAside` has the number of others. */
export type AnalyticsResponse = {
  url: { short_code: string; short_url: string; long_url: string; created_at: string };
  range: Range;
  analytics: {
    totalClicks: number;
    /** A visitor counts once per link and day (docs/decisions.md#d20). */
    uniqueClicks: number;
    activeDays: number;
    /** 'YYYY-MM-DD' (UTC) → clicks, ascending, without days that have none. Days older than 13 months are summed on the first of their month. */
    clicksByDate: Counts;
    /** Country code (ISO 3166-1 alpha-2) or 'Unknown'. */
    clicksByCountry: Counts;
    /** The 100 largest, by count. The city 'Other' sums the places beyond a day's cap. */
    clicksByCity: { country: string; region: string; city: string; clicks: number }[];
    clicksByDevice: Counts;
    clicksByBrowser: Counts;
    clicksByOs: Counts;
    clicksByReferrer: Counts;
    /** Start of an hour (ms since 1970) → clicks, for hours of the last 14 days that have any. */
    clicksByHour: Counts;
    recentClicks: RecentClick[];
  };
  setAside: { bots: number; prefetches: number };
  /** When this report was built, RFC 3339. */
  generatedAt: string;
};
