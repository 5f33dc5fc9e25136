import * as z from 'zod/mini';
import { periodChecks, rangeFields, type DaysOfRange, type ReportRange } from './ranges.ts';
import { FILTER_MAX, parseFilter } from './report-filter.ts';
import type { MeasuredShare } from './compare-shares.ts';
import type { PlanType } from '#contract/site.ts';

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
/** GET /api/analytics/:code?range=&from=&to=&filter=&and= */
export const analyticsQuery = z
  .object({ ...rangeFields('all'), filter: z.optional(filter), and: z.optional(filter) })
  .check(
    ...periodChecks,
    z.refine(({ filter: first, and }) => and === undefined || first !== undefined, {
      path: ['filter'],
      error: 'filter is missing. A second filter needs a first one.',
    }),
    z.refine(({ filter: first, and }) => and === undefined || and?.dimension !== first?.dimension, {
      path: ['and'],
      error: 'The second filter must be of another dimension than the first.',
    }),
  );
export const exportFormat = z._default(z.enum(['csv', 'json']), 'json');
/** GET /api/analytics/:code/export?range=&from=&to=&format= */
export const analyticsExportQuery = z
  .object({ ...rangeFields('all'), format: exportFormat })
  .check(...periodChecks);

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

/**
 * A destination between which the link divides its visitors, or did in the period. `weight` is its
 * present share in percent, null for an earlier one; `url` is null for earlier ones that the link's
 * history no longer names. `share` is that of its visitors among those of the present destinations,
 * null for an earlier one and without visitors.
 */
export type DestinationFigures = {
  url: string | null;
  weight: number | null;
  clicks: number;
  visitors: number;
  share: MeasuredShare | null;
};

/** Part of every plan. */
export type BasicAnalytics = Figures &
  DateCounts &
  /** Only of links in their first 48 hours, and on plans with advanced analytics. */
  Partial<HourCounts> & {
    /** Clicks from the link's QR code. They are included in `totalClicks`. */
    qrScans: number;
    /** Empty for a link that has not divided its visitors. Counted by day, like places. */
    destinations: DestinationFigures[];
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
   * Null for the range 'all', and for a link that is younger than that period. It has hours only
   * for ranges of one day.
   */
  previousPeriod: (PreviousPeriod & Partial<HourCounts>) | null;
};

/**
 * The period of the same length before the range, with its first and last day ('YYYY-MM-DD', UTC).
 * It ends at `until` (RFC 3339, exclusive), after the same time as `current`: the figures of the
 * range without the hour, or the day, that is not over.
 */
export type PreviousPeriod = Figures &
  DateCounts & { from: string; to: string; until: string; current: Figures };

type SetAside = { setAside: { bots: number; prefetches: number } };
type ReportFrame = {
  url: { short_code: string; short_url: string; long_url: string; created_at: string };
  range: ReportRange;
  period: DaysOfRange;
  /** Why `period` begins later than asked for: earlier days are not kept by day. */
  shortenedBy: 'retention' | null;
  /**
   * The plan of the link's owner, which decides what the report contains. A link without an owner
   * counts as Free.
   */
  plan: PlanType;
  /** An administrator sees what the owner sees. */
  viewer: 'owner' | 'admin';
  /** The figures since the link was created, whatever the range. */
  lifetime: Figures;
  /**
   * Clicks that another service counted before the link was imported from there. No other figure
   * includes them. Null for other links.
   */
  imported: { clicks: number; from: string } | null;
  /** When this report was built, RFC 3339. */
  generatedAt: string;
};
export type FullReport = ReportFrame &
  SetAside & {
    advanced: true;
    analytics: BasicAnalytics & AdvancedAnalytics;
  };
export type BasicReport = ReportFrame & SetAside & { advanced: false; analytics: BasicAnalytics };

/** Totals and all panels count human clicks only. `setAside` counts the others. */
export type AnalyticsResponse = FullReport | BasicReport;

type Nullable<T> = { [K in keyof T]: T[K] | null };
/**
 * Why a member is null: it is never counted together with the filters, or it was not yet on any day
 * of the range.
 */
export type NullReason = 'counted_apart' | 'not_counted_yet';
type Filtered = Nullable<Required<Omit<BasicAnalytics, 'recentClicks' | keyof HourCounts>>> &
  Partial<Nullable<AdvancedAnalytics>>;
/**
 * The report of the clicks that match one or two filters. A member that the stored counts cannot
 * answer is null; advanced members are absent if the plan does not include them.
 */
export type FilteredReport = ReportFrame & {
  filters: string[];
  advanced: boolean;
  analytics: Filtered & Pick<BasicAnalytics, 'recentClicks'>;
  reasons: Partial<Record<keyof Filtered, NullReason>>;
  /**
   * The day ('YYYY-MM-DD') since when members that come from pairs cover the range; null if they
   * cover all of it, and if there are none.
   */
  pairsSince: string | null;
  /** Clicks beyond the pairs that a day lists. With two filters, some of them may match as well. */
  unlisted: number;
  /** Of the last `of` clicks in the range, `matching` match the filters. */
  recent: { matching: number; of: number };
};
