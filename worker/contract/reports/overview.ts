import * as z from 'zod/mini';
import {
  exportFormat,
  type AdvancedAnalytics,
  type BasicAnalytics,
  type DateCounts,
  type Figures,
  type PreviousPeriod,
} from './analytics.ts';
import { atMost, hostFilter, tagFilter } from '#contract/common-schemas.ts';
import { domainName } from '#contract/domains.ts';
import { periodChecks, rangeFields, type DaysOfRange, type ReportRange } from './ranges.ts';
import type { PlanType } from '#contract/site.ts';
import type { TagColor } from '#contract/links/tags.ts';
import { timeZone, type Shortened } from './times.ts';

const chosenLinks = { tag: tagFilter, host: hostFilter, domain: z.optional(domainName) };
/** GET /api/analytics?range=&from=&to=&tag=&host=&domain= */
export const overviewQuery = z
  .object({ ...rangeFields('30d'), ...chosenLinks })
  .check(...periodChecks);
/** GET /api/overview/export */
export const overviewExportQuery = z
  .object({ ...rangeFields('30d'), ...chosenLinks, format: exportFormat })
  .check(...periodChecks);
/** GET /api/overview/clicks */
export const liveClicksQuery = z.object({ domain: z.optional(domainName) });
/** GET /api/overview/times */
export const overviewTimesQuery = z
  .object({ ...rangeFields('30d'), ...chosenLinks, tz: z._default(timeZone, 'UTC') })
  .check(...periodChecks);

export type OverviewTotals = Figures & DateCounts;
/** A visitor counts once per link and day. */
type BasicOverview = OverviewTotals &
  Pick<BasicAnalytics, 'clicksByCountry' | 'clicksByDevice'> & {
    /** At most ten links, chosen from the 200 most clicked ones of each day. */
    topLinks: {
      code: string;
      shortUrl: string;
      title: string;
      longUrl: string;
      clicks: number;
    }[];
  };
type AdvancedOverview = Omit<AdvancedAnalytics, 'previousPeriod'> & {
  /** Null for an account whose first click is in or after that period. */
  previousPeriod: PreviousPeriod | null;
};
export type OverviewAnalytics = BasicOverview & AdvancedOverview;

/**
 * The clicks on all links of a member that are not deleted, or on those with a tag or a host,
 * or on a domain. The plan decides what `analytics` contains.
 */
export type OverviewResponse = {
  range: ReportRange;
  period: DaysOfRange;
  shortenedBy: Shortened;
  tag: string | null;
  host: string | null;
  domain: string | null;
  plan: PlanType;
  advanced: boolean;
  links: number;
  hasClicks: boolean;
  /** Clicks are counted up to this time (RFC 3339); null if they have not been counted yet. */
  countedAt: string | null;
  generatedAt: string;
  setAside: { bots: number; prefetches: number };
  /**
   * The first day with places, devices, sources, campaigns, hours and top links, if the range
   * begins earlier. Otherwise null.
   */
  detailsSince: string | null;
  analytics: BasicOverview & Partial<AdvancedOverview>;
};

export const COMPARED_LINKS_MAX = 5;
export const COMPARED_TAGS_MAX = 2;
const names = (what: string, max: number) =>
  z.optional(
    z.pipe(
      z.string().check(
        z.minLength(1, `${what} must not be empty.`),
        atMost(what, 1000),
        z.refine(
          (text) => text.split(',').length <= max,
          `${what} can name at most ${max}, separated by commas.`,
        ),
      ),
      z.transform((text) => [...new Set(text.split(','))]),
    ),
  );
/** GET /api/overview/compare?links= or ?tags=, with a range */
export const compareQuery = z
  .object({
    ...rangeFields('30d'),
    links: names('links', COMPARED_LINKS_MAX),
    tags: names('tags', COMPARED_TAGS_MAX),
  })
  .check(
    ...periodChecks,
    z.refine(({ links, tags }) => links !== undefined || tags !== undefined, {
      path: ['links'],
      error: 'links is missing. Name the links or the tags to compare.',
    }),
    z.refine(({ links, tags }) => links === undefined || tags === undefined, {
      path: ['tags'],
      error: 'tags cannot be sent together with links.',
    }),
  );

/** The clicks on each of some links or tags. `code`, or `color`, is null for the other kind. */
export type CompareResponse = {
  range: ReportRange;
  period: DaysOfRange;
  shortenedBy: Shortened;
  series: (Pick<Figures, 'totalClicks' | 'uniqueClicks'> &
    DateCounts & {
      name: string;
      code: string | null;
      title: string | null;
      color: TagColor | null;
    })[];
  generatedAt: string;
};
