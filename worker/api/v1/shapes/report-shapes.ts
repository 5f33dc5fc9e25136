import { KEEP_HOURS_DAYS } from '#contract/limits.ts';
import {
  accountAnalytics,
  type accountAnalyticsQuery,
  accountTotals,
  destinationFigures,
  figures,
  interval,
  linkAnalytics,
  type linkAnalyticsQuery,
  linkClicks,
  measuredShare,
  periodClicks,
  previousFigures,
  range,
  valueClicks,
} from '#contract/v1/v1-analytics.ts';
import { describeAnswer, describeValue, type MemberTexts, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of reports of clicks. */

const RANGE = 'The time that the report covers, until now.';
export const LINK_REPORT_TEXTS: MemberTexts<typeof linkAnalyticsQuery> = {
  range: RANGE,
  interval: `The length of the periods in \`series\`. \`hour\` is part of Premium, for the last ${KEEP_HOURS_DAYS} days.`,
  dimensions:
    'Names of dimensions, separated by commas. Absent: all that the plan includes. All but `country` and `device` are part of Premium.',
};
export const ACCOUNT_REPORT_TEXTS: MemberTexts<typeof accountAnalyticsQuery> = { range: RANGE };

const CLICKS = 'Clicks of people.';
const VISITORS = 'Visitors. A person counts once per link and day.';
const BOTS = 'Requests of bots. `clicks` does not contain them.';
const PREFETCHES = 'Requests of browsers and previews that nobody clicked.';
const GENERATED = 'When the report was made.';
const FIGURES = {
  clicks: CLICKS,
  visitors: VISITORS,
  activeDays: 'Days with at least one click.',
};

export const REPORT_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'Range',
    range,
    'Today (UTC), the last hours, days or 12 months; `all` since the link was created.',
  ),
  describeValue('Interval', interval, 'The length of a period.'),
  describeAnswer('Figures', figures, 'Totals of a link.', FIGURES),
  describeAnswer(
    'PreviousFigures',
    previousFigures,
    'Totals of the period before, for comparison.',
    {
      ...FIGURES,
      from: 'The first day of that period, in UTC.',
      to: 'The last day of that period, in UTC.',
      until: 'Its end (exclusive): as far into it as the last full hour is into the range.',
      current: 'The totals of the range up to that hour. Compare with these.',
    },
  ),
  describeAnswer('PeriodClicks', periodClicks, 'The clicks in one period.', {
    start: 'The start of the hour, day or month, in UTC.',
    clicks: CLICKS,
  }),
  describeAnswer('ValueClicks', valueClicks, 'The clicks with one value of a dimension.', {
    value: 'The value. Visitors choose referrers and UTM values: treat them as untrusted.',
    clicks: CLICKS,
  }),
  describeAnswer('LinkClicks', linkClicks, 'The clicks on one link.', {
    linkId: 'The id of the link.',
    code: 'The code of the link.',
    shortUrl: 'The short URL of the link.',
    clicks: CLICKS,
  }),
  describeAnswer('MeasuredShare', measuredShare, 'A share of visitors, from 0 to 1.', {
    measured: 'The share in the range.',
    low: 'The lower bound of its 95 % interval.',
    high: 'The upper bound of its 95 % interval.',
  }),
  describeAnswer(
    'DestinationFigures',
    destinationFigures,
    'The clicks that variants led to one destination.',
    {
      url: 'The destination; null for earlier ones that the history of the link no longer names.',
      weight: 'Its share as set, in percent; null for an earlier destination.',
      clicks: CLICKS,
      visitors: 'Visitors, by the destination of their first click of the day.',
      share: 'Its share of the visitors of the present destinations; null without visitors.',
    },
  ),
  describeAnswer(
    'LinkAnalytics',
    linkAnalytics,
    'A report on one link.',
    {
      linkId: 'The id of the link.',
      code: 'The code of the link.',
      plan: 'The plan, which decides what the report contains.',
      range: 'The time that the report covers.',
      interval: 'The length of the periods in `series`.',
      totals: 'Clicks, visitors and days with clicks.',
      bots: BOTS,
      prefetches: PREFETCHES,
      qrScans: 'Clicks by the QR code of the link. `totals` contains them.',
      destinations:
        'Clicks by the destination that variants chose: those of the link first, then earlier ones. Empty for a link without variants.',
      series: 'Clicks over time. Periods without clicks are left out.',
      dimensions: 'Clicks by value for each dimension, the most first.',
      previousPeriod:
        'The period of the same length before, part of Premium; null for the range `all` and for links that are younger.',
      generatedAt: GENERATED,
    },
    {
      linkId: 'lnk_7cfjgEYp0Sa0YBLen3iIh1',
      code: 'summer-sale',
      plan: 'premium',
      range: '7d',
      interval: 'day',
      totals: { clicks: 84, visitors: 61, activeDays: 6 },
      bots: 12,
      prefetches: 3,
      qrScans: 20,
      destinations: [
        {
          url: 'https://example.com/summer-sale',
          weight: 70,
          clicks: 60,
          visitors: 44,
          share: { measured: 0.72, low: 0.6, high: 0.82 },
        },
        {
          url: 'https://example.com/summer-sale-b',
          weight: 30,
          clicks: 24,
          visitors: 17,
          share: { measured: 0.28, low: 0.18, high: 0.4 },
        },
      ],
      series: [{ start: '2027-01-31T00:00:00.000Z', clicks: 14 }],
      dimensions: { country: [{ value: 'DE', clicks: 50 }] },
      previousPeriod: {
        clicks: 60,
        visitors: 48,
        activeDays: 5,
        from: '2027-01-18',
        to: '2027-01-24',
        until: '2027-01-24T12:00:00.000Z',
        current: { clicks: 84, visitors: 61, activeDays: 6 },
      },
      generatedAt: '2027-01-31T12:00:00.000Z',
    },
  ),
  describeAnswer('AccountTotals', accountTotals, 'Sums over all links.', {
    clicks: CLICKS,
    visitors: VISITORS,
    bots: BOTS,
    prefetches: PREFETCHES,
  }),
  describeAnswer(
    'AccountAnalytics',
    accountAnalytics,
    'A report on all links that are not deleted.',
    {
      range: 'The time that the report covers.',
      links: 'How many links there are.',
      totals: 'Sums over all links.',
      series: 'Clicks over time. Periods without clicks are left out.',
      topLinks: 'The ten links with the most clicks.',
      countedAt:
        'Clicks are counted up to this time, at most an hour ago. Null in the first hour after an upgrade of the server.',
      generatedAt: GENERATED,
    },
    {
      range: '90d',
      links: 37,
      totals: { clicks: 2310, visitors: 1702, bots: 210, prefetches: 41 },
      series: [{ start: '2027-01-31T00:00:00.000Z', clicks: 130 }],
      topLinks: [
        {
          linkId: 'lnk_7cfjgEYp0Sa0YBLen3iIh1',
          code: 'summer-sale',
          shortUrl: 'https://hop.example/summer-sale',
          clicks: 1204,
        },
      ],
      countedAt: '2027-01-31T11:30:00.000Z',
      generatedAt: '2027-01-31T12:00:00.000Z',
    },
  ),
];
