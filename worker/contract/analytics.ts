import * as z from 'zod/mini';
import { FILTER_MAX, parseFilter } from './report-filter.ts';
import type { PlanType } from './site.ts';

export const RANGES = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Range = (typeof RANGES)[number];
const range = z._default(z.enum(RANGES), 'all');
const filter = z.pipe(
  z.string().check(
    z.maxLength(FILTER_MAX),
    z.refine(
      (text) => parseFilter(text) !== null,
      'The filter must be a dimension and a listed value, for example country:IN.',
    ),
  ),
  z.transform(parseFilter),
);
/** GET /api/analytics/:code?range=&filter= */
export const analyticsQuery = z.object({ range, filter: z.optional(filter) });
/** GET /api/analytics/:code/export?range=&format= */
export const analyticsExportQuery = z.object({
  range,
  format: z._default(z.enum(['csv', 'json']), 'json'),
});

/** Human clicks by name. An empty country is 'Unknown', an empty referrer 'Direct'. */
export type CountsByName = Record<string, number>;

export type RecentClick = {
  clicked_at: string;
  country: string;
  device_type: string;
  browser: string;
  /** The members below are part of advanced analytics. */
  city?: string;
  os?: string;
  referrer?: string;
};

/**
 * The three figures of a period. A visitor counts once per link and day (docs/decisions.md#d20).
 */
export type Figures = { totalClicks: number; uniqueClicks: number; activeDays: number };

/**
 * Counts by 'YYYY-MM-DD' (UTC), ascending. Days without clicks are left out. Days older than 13
 * months are summed on the first of their month.
 */
export type DateCounts = { clicksByDate: CountsByName; visitorsByDate: CountsByName };

/**
 * Counts by start of the hour (ms since 1970), for the last 14 days. Hours without clicks are left
 * out. A visitor counts in the hour of their first click of the day.
 */
export type HourCounts = { clicksByHour: CountsByName; visitorsByHour: CountsByName };

/** Part of every plan. */
export type BasicAnalytics = Figures &
  DateCounts & {
    /** Clicks from the link's QR code. They are included in `totalClicks`. */
    qrScans: number;
    /**
     * Country code (ISO 3166-1 alpha-2) or 'Unknown'. Places, devices and the other panels by value
     * are counted by UTC day, so with the range '24h' they cover every day that the 24 hours touch.
     */
    clicksByCountry: CountsByName;
    clicksByDevice: CountsByName;
    recentClicks: RecentClick[];
  };

/** Part of the plans with advanced analytics. plan-features.ts lists these members. */
export type AdvancedAnalytics = HourCounts & {
  /** The 100 largest, by count. The city 'Other' sums the places beyond a day's cap. */
  clicksByCity: { country: string; region: string; city: string; clicks: number }[];
  clicksByBrowser: CountsByName;
  clicksByOs: CountsByName;
  clicksByReferrer: CountsByName;
  /**
   * Clicks with a value for the parameter, in the link's target or else in the forwarded
   * parameters. Clicks without a value are left out.
   */
  clicksByUtmSource: CountsByName;
  clicksByUtmMedium: CountsByName;
  clicksByUtmCampaign: CountsByName;
  /**
   * The period of the same length before the range, with its first and last day ('YYYY-MM-DD',
   * UTC). Null for the range 'all', and for a link that is younger than that period. It has hours
   * only for the range '24h'.
   */
  previousPeriod:
    | (Figures & DateCounts & Partial<HourCounts> & { from: string; to: string })
    | null;
};

type ReportFrame = {
  url: { short_code: string; short_url: string; long_url: string; created_at: string };
  range: Range;
  /**
   * The plan of the link's owner, which decides what the report contains. A link without an owner
   * counts as Free.
   */
  plan: PlanType;
  /** An administrator sees what the owner sees. */
  viewer: 'owner' | 'admin';
  setAside: { bots: number; prefetches: number };
  /** Clicks by people since the link was created, whatever the range. */
  lifetimeClicks: number;
  /**
   * Clicks that another service counted before the link was imported from there. No other figure
   * includes them. Null for other links.
   */
  imported: { clicks: number; from: string } | null;
  /** When this report was built, RFC 3339. */
  generatedAt: string;
};
export type FullReport = ReportFrame & {
  advanced: true;
  analytics: BasicAnalytics & AdvancedAnalytics;
};
export type BasicReport = ReportFrame & { advanced: false; analytics: BasicAnalytics };

/** Totals and all panels count human clicks only. `setAside` counts the others. */
export type AnalyticsResponse = FullReport | BasicReport;

type Nullable<T> = { [K in keyof T]: T[K] | null };
type AlwaysKnown = 'totalClicks' | 'clicksByDate' | 'recentClicks';
/**
 * The report of the clicks that match a filter. A member that the stored counts cannot answer is
 * null; advanced members are absent if the plan does not include them.
 */
export type FilteredReport = Omit<ReportFrame, 'setAside' | 'lifetimeClicks'> & {
  filter: string;
  advanced: boolean;
  analytics: Pick<BasicAnalytics, AlwaysKnown> &
    Nullable<Omit<BasicAnalytics, AlwaysKnown>> &
    Partial<Nullable<AdvancedAnalytics>>;
};

export const OVERVIEW_RANGES = ['7d', '30d', '90d'] as const;
export type OverviewRange = (typeof OVERVIEW_RANGES)[number];
/** GET /api/analytics?range= */
export const overviewQuery = z.object({ range: z._default(z.enum(OVERVIEW_RANGES), '30d') });

export type OverviewTotals = Figures & DateCounts;
/** A visitor counts once per link and day. */
type BasicOverview = OverviewTotals &
  Pick<BasicAnalytics, 'clicksByCountry' | 'clicksByDevice'> & {
    /** At most ten links, chosen from the 200 most clicked ones of each day. */
    topLinks: {
      short_code: string;
      short_url: string;
      title: string;
      long_url: string;
      clicks: number;
    }[];
  };
type AdvancedOverview = Pick<
  AdvancedAnalytics,
  'clicksByCity' | 'clicksByBrowser' | 'clicksByOs' | 'clicksByReferrer'
> & {
  /** Null for an account whose first click is in or after that period. */
  previousPeriod: (OverviewTotals & { from: string; to: string }) | null;
};
export type OverviewAnalytics = BasicOverview & AdvancedOverview;

/**
 * The clicks on all links of a member that are not deleted. The plan decides what `analytics`
 * contains.
 */
export type OverviewResponse = {
  range: OverviewRange;
  plan: PlanType;
  advanced: boolean;
  links: number;
  hasClicks: boolean;
  /** Clicks are counted up to this time (RFC 3339); null if they have not been counted yet. */
  countedAt: string | null;
  generatedAt: string;
  setAside: { bots: number; prefetches: number };
  analytics: BasicOverview & Partial<AdvancedOverview>;
};
