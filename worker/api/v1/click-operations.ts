import { clicksQuery, clicksReport } from '#contract/v1/v1-clicks.ts';
import type { Operation } from './operation.ts';
import { CLICKS_TEXTS } from './shapes/click-shapes.ts';

export const clickOperations: Readonly<Record<string, Operation>> = {
  'GET /api/v1/analytics/clicks': {
    id: 'queryClicks',
    summary: 'Count clicks by link, tag, time or value',
    description:
      'Answers questions about many links in one request, for example: the links with the most clicks from Germany (`country=DE`), the clicks by tag of this month (`groupBy=tag&start=2027-01-01`), or a time series for each of 100 links (`linkIds=…&interval=day`). Every count is exact for the days in `period`. In accounts with more than 10,000 links, clicks on links that were idle before count within the hour. Days of a link list up to 150 places, 60 devices, 100 referrers and 50 UTM values; further cities, browsers, referrers and UTM values count as `Other`. For links that nobody has clicked, see `lastClickBefore` of `GET /links`. All keys of an account together may ask 60 times a minute.',
    query: {
      schema: clicksQuery,
      members: CLICKS_TEXTS,
      example: { groupBy: 'link', country: 'DE', interval: 'day', limit: '10' },
    },
    answer: {
      status: 200,
      content: clicksReport,
      description: 'Clicks of people on links that are not deleted.',
    },
    errors: ['payment_required', 'not_found'],
  },
};
