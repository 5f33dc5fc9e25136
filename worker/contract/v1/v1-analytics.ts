import * as z from 'zod/mini';
import { RANGES } from '#contract/reports/ranges.ts';
import { planType } from './v1.ts';

/** The reports of the public API (v1.ts). */

/**
 * The dimensions by which clicks are counted. All but `country` and `device` are advanced
 * analytics.
 */
export const DIMENSIONS = [
  'country',
  'city',
  'device',
  'browser',
  'os',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export const INTERVALS = ['hour', 'day', 'month'] as const;

const NAMES = DIMENSIONS.join('|');

export const range = z.enum(RANGES);
export const interval = z.enum(INTERVALS);

export const linkAnalyticsQuery = z.strictObject({
  range: z._default(range, '30d'),
  /** `hour` is advanced analytics, and reaches back 14 days. */
  interval: z._default(interval, 'day'),
  /** Names separated by commas. Absent: all dimensions that the plan includes. */
  dimensions: z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => text.split(',').every((name) => DIMENSIONS.some((known) => known === name)),
          `dimensions must be names from ${DIMENSIONS.join(', ')}, separated by commas.`,
        ),
      )
      .register(z.globalRegistry, { pattern: `^(?:(?:${NAMES})(?:,(?!$)|$))+$` }),
  ),
});

export const figures = z.object({ clicks: z.int(), visitors: z.int(), activeDays: z.int() });
export const valueClicks = z.object({ value: z.string(), clicks: z.int() });
export const periodClicks = z.object({ start: z.iso.datetime(), clicks: z.int() });
/**
 * The previous period ends at `until` (exclusive): as many hours after its start as the range has
 * complete ones. `current` has the figures of the range for these hours, for the comparison.
 */
export const previousFigures = z.extend(figures, {
  from: z.iso.date(),
  to: z.iso.date(),
  until: z.iso.datetime(),
  current: figures,
});

/** A share between 0 and 1 with the bounds of its 95 % interval. */
export const measuredShare = z.object({ measured: z.number(), low: z.number(), high: z.number() });
export const destinationFigures = z.object({
  url: z.nullable(z.string()),
  weight: z.nullable(z.int()),
  clicks: z.int(),
  visitors: z.int(),
  share: z.nullable(measuredShare),
});

export const linkAnalytics = z.object({
  linkId: z.string(),
  code: z.string(),
  plan: planType,
  range,
  interval,
  /** Clicks of people. A visitor counts once per link and day. */
  totals: figures,
  bots: z.int(),
  prefetches: z.int(),
  /** Clicks by the link's QR code. They are part of the clicks in `totals`. */
  qrScans: z.int(),
  /** Empty for a link that has not divided its visitors. */
  destinations: z.array(destinationFigures),
  /** `start` is the start of the hour, day or month in UTC. Periods without clicks are left out. */
  series: z.array(periodClicks),
  /** The largest count first. */
  dimensions: z.partialRecord(z.enum(DIMENSIONS), z.array(valueClicks)),
  /** Advanced analytics; null for the range `all` and for links that are younger. */
  previousPeriod: z.nullable(previousFigures),
  generatedAt: z.iso.datetime(),
});
export type LinkAnalytics = z.infer<typeof linkAnalytics>;

export const accountAnalyticsQuery = z.strictObject({ range: z._default(range, '30d') });

export const accountTotals = z.object({
  clicks: z.int(),
  visitors: z.int(),
  bots: z.int(),
  prefetches: z.int(),
});
export const linkClicks = z.object({
  linkId: z.string(),
  code: z.string(),
  shortUrl: z.string(),
  clicks: z.int(),
});

export const accountAnalytics = z.object({
  range,
  links: z.int(),
  totals: accountTotals,
  series: z.array(periodClicks),
  topLinks: z.array(linkClicks),
  /**
   * Clicks are counted up to this time, at most an hour ago. Null in the first hour after an
   * upgrade of the server.
   */
  countedAt: z.nullable(z.iso.datetime()),
  generatedAt: z.iso.datetime(),
});
export type AccountAnalytics = z.infer<typeof accountAnalytics>;
