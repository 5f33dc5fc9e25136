import * as z from 'zod/mini';
import { atMost, tagFilter, wholeNumber } from '#contract/common-schemas.ts';
import { domainName } from '#contract/domains.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { V1_PAGE_MAX } from './v1.ts';
import { DIMENSIONS, type Dimension } from './v1-analytics.ts';

/** GET /api/v1/analytics/clicks: the clicks of many links in any period, grouped and filtered. */

/** The dimensions that can filter, besides links and tags. Each is a query parameter. */
export const CLICK_FILTERS = [
  'country',
  'device',
  'browser',
  'os',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
] as const satisfies readonly Dimension[];

/** The ways to group clicks that are not a dimension. Only these count visitors. */
export const COUNTED_GROUPS = ['link', 'tag', 'day', 'month'] as const;
const GROUPS = [...COUNTED_GROUPS, ...DIMENSIONS] as const;
export type ClickGroup = (typeof GROUPS)[number];

/**
 * Clicks are counted by place, by agent, by referrer and by UTM values, each apart from the others.
 * A request can therefore only combine dimensions of one kind.
 */
export const KIND_OF = {
  country: 'place',
  city: 'place',
  device: 'agent',
  browser: 'agent',
  os: 'agent',
  referrer: 'ref',
  utmSource: 'utm',
  utmMedium: 'utm',
  utmCampaign: 'utm',
} as const satisfies Record<Dimension, string>;

const isDimension = (name: string): name is Dimension => Object.hasOwn(KIND_OF, name);

const VALUE_MAX = 200;
const valueOf = (name: string) =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(1, `${name} must not be empty. Leave it out to set no filter.`),
        atMost(name, VALUE_MAX),
      ),
  );

const moment = (name: string) =>
  z.optional(
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: `${name} must be a date like 2027-01-31 or a time like 2027-01-31T12:00:00Z.`,
    }),
  );

/** The day (UTC) on which a period starts or ends. A time at midnight ends the day before. */
export const startDayOf = (text: string): number => dayNumber(Date.parse(text));
export const endDayOf = (text: string): number =>
  dayNumber(Date.parse(text) - (text.includes('T') ? 1 : 0));

const linkIds = z
  .string()
  .check(
    z.refine(
      (text) => text.split(',').length <= V1_PAGE_MAX,
      `linkIds can name at most ${V1_PAGE_MAX} links, separated by commas.`,
    ),
  );

export const clickGroup = z.enum(GROUPS);

export const clicksQuery = z
  .strictObject({
    groupBy: z._default(clickGroup, 'link'),
    start: moment('start'),
    end: moment('end'),
    interval: z.optional(z.enum(['day', 'month'])),
    /** Days and months are always all listed. */
    limit: z._default(wholeNumber('limit', 1, V1_PAGE_MAX), V1_PAGE_MAX),
    linkIds: z.optional(linkIds),
    tag: tagFilter,
    domain: z.optional(domainName),
    country: valueOf('country'),
    device: valueOf('device'),
    browser: valueOf('browser'),
    os: valueOf('os'),
    referrer: valueOf('referrer'),
    utmSource: valueOf('utmSource'),
    utmMedium: valueOf('utmMedium'),
    utmCampaign: valueOf('utmCampaign'),
  })
  .check(
    z.refine(
      (query) =>
        new Set(
          [query.groupBy, ...CLICK_FILTERS.filter((name) => query[name] !== undefined)]
            .filter(isDimension)
            .map((name) => KIND_OF[name]),
        ).size <= 1,
      {
        path: ['groupBy'],
        error:
          'Places, devices, referrers and UTM values are counted apart, so one request can group and filter by one of these kinds only.',
      },
    ),
    z.refine(
      ({ groupBy, interval }) => interval === undefined || groupBy === 'link' || groupBy === 'tag',
      { path: ['interval'], error: 'interval belongs to groupBy=link and groupBy=tag.' },
    ),
  );
export type ClicksQuery = z.infer<typeof clicksQuery>;

/** `visitors` is null where a dimension is asked for, because visitors are not counted by these. */
export const clicksTotals = z.object({ clicks: z.int(), visitors: z.nullable(z.int()) });
export const clicksPoint = z.extend(clicksTotals, { start: z.iso.datetime() });
export const clicksPeriod = z.object({ start: z.iso.date(), end: z.iso.date() });
/** `size`: these links have too many days with clicks for one request. */
export const shortenedBy = z.enum(['retention', 'size']);
export const clicksEntry = z.extend(clicksTotals, {
  value: z.string(),
  linkId: z.nullable(z.string()),
  shortUrl: z.nullable(z.string()),
  series: z.nullable(z.array(clicksPoint)),
});

export const clicksReport = z.object({
  groupBy: clickGroup,
  /** The days (UTC) that are really counted, both included. */
  period: clicksPeriod,
  /** Why `period` begins later than asked for. */
  shortenedBy: z.nullable(shortenedBy),
  totals: clicksTotals,
  /** The number of entries, also of those that `limit` leaves out. */
  groups: z.int(),
  data: z.array(clicksEntry),
  generatedAt: z.iso.datetime(),
});
export type ClicksReport = z.infer<typeof clicksReport>;
