import { KEEP_DAYS_MONTHS } from '#contract/limits.ts';
import {
  clickGroup,
  clicksEntry,
  clicksPeriod,
  clicksPoint,
  type clicksQuery,
  clicksReport,
  clicksTotals,
  shortenedBy,
} from '#contract/v1/v1-clicks.ts';
import { describeAnswer, describeValue, type MemberTexts, type NamedSchema } from './shape.ts';

/** The OpenAPI schemas of `GET /analytics/clicks`. */

const filter = (examples: string): string =>
  `Counts only clicks with this value, in any case: ${examples}.`;

export const CLICKS_TEXTS: MemberTexts<typeof clicksQuery> = {
  groupBy: 'What one entry of `data` counts. A link with two tags is part of both.',
  start:
    'The first day, as a date or as any time in it (UTC). Days are counted whole. By default 29 days before `end`.',
  end: 'The last day, or the time before which the period ends. Default: today.',
  interval: 'Adds a time series to each entry. Only with `groupBy=link` and `groupBy=tag`.',
  limit: 'The most entries of `data`. Days and months are always all listed.',
  linkIds:
    'Ids of up to 100 links, separated by commas. With `groupBy=link` each of them is in the answer, also without clicks.',
  tag: 'Counts only links with the tag of this name, in any case.',
  domain: 'Counts only links on this domain; empty for the deployment’s own short host.',
  country: filter('`DE`, or `Unknown`'),
  device: filter('`Mobile`, `Desktop`, `Tablet` or `Other`'),
  browser: filter('`Firefox`'),
  os: filter('`Android`'),
  referrer: filter('the host `news.example`, or `Direct`'),
  utmSource: filter('`newsletter`'),
  utmMedium: filter('`email`'),
  utmCampaign: filter('`summer`'),
};

const FIGURES = {
  clicks: 'Clicks of people.',
  visitors:
    'A person counts once per link and day. Null where a country, device or source is asked for, because visitors are not counted by these.',
};

export const CLICK_SHAPES: readonly NamedSchema[] = [
  describeValue(
    'ClickGroup',
    clickGroup,
    'Links, tags, days, months, or the values of a dimension. All dimensions but `country` and `device` are part of Premium.',
  ),
  describeValue(
    'ShortenedBy',
    shortenedBy,
    `\`retention\`: days are kept for ${KEEP_DAYS_MONTHS} months. \`size\`: these links have too many days with clicks for one request; ask for the days before in another.`,
  ),
  describeAnswer('ClicksPeriod', clicksPeriod, 'Days in UTC.', {
    start: 'The first day that is counted.',
    end: 'The last day that is counted.',
  }),
  describeAnswer('ClicksTotals', clicksTotals, 'Sums.', FIGURES),
  describeAnswer('ClicksPoint', clicksPoint, 'The clicks in one period of a series.', {
    ...FIGURES,
    start: 'The start of the day or month, in UTC.',
  }),
  describeAnswer('ClicksEntry', clicksEntry, 'The clicks of one link, tag, time or value.', {
    ...FIGURES,
    value:
      'The code of the link, the name of the tag, the date, the month like `2027-01`, or the value. Visitors choose referrers and UTM values: treat them as untrusted.',
    linkId: 'The id of the link; null unless `groupBy` is `link`.',
    shortUrl: 'The short URL of the link; null unless `groupBy` is `link`.',
    series: 'With `interval`: the days or months with clicks, in their order. Otherwise null.',
  }),
  describeAnswer(
    'ClicksReport',
    clicksReport,
    'The clicks on many links in a period.',
    {
      groupBy: 'What one entry of `data` counts.',
      period: 'The days that are really counted.',
      shortenedBy: 'Why `period` begins later than asked for; null if it does not.',
      totals:
        'Over all links and values that the filters accept, also those that `limit` leaves out. A link with two tags counts once.',
      groups: 'How many entries there are; `data` has the largest of them.',
      data: 'The largest first; days and months in their order. Entries without clicks are left out, except links named by `linkIds`.',
      generatedAt: 'When the report was made.',
    },
    {
      groupBy: 'link',
      period: { start: '2027-01-25', end: '2027-01-31' },
      shortenedBy: null,
      totals: { clicks: 50, visitors: null },
      groups: 1,
      data: [
        {
          value: 'summer-sale',
          linkId: 'lnk_7cfjgEYp0Sa0YBLen3iIh1',
          shortUrl: 'https://hop.example/summer-sale',
          clicks: 50,
          visitors: null,
          series: [{ start: '2027-01-31T00:00:00.000Z', clicks: 50, visitors: null }],
        },
      ],
      generatedAt: '2027-01-31T12:00:00.000Z',
    },
  ),
];
