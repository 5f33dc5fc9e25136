import type { paths } from './api.d.ts';
import { dataOf } from './client.ts';
import type { Call, Command } from './command.ts';
import { findLink } from './find-link.ts';
import { optionsOf, queryIn, type QueryOptions } from './query-options.ts';
import { request } from './request.ts';
import { CLICK_DIMENSIONS } from './stats.ts';
import { bold, table, withoutScheme } from './text.ts';

type Query = NonNullable<paths['/analytics/clicks']['get']['parameters']['query']>;

const GROUPS = [
  'link',
  'tag',
  'day',
  'month',
  ...CLICK_DIMENSIONS,
] as const satisfies readonly Query['groupBy'][];

const filter = (option: string) => ({ option, value: 'VALUE', text: 'only clicks with this' });

/** Every parameter but the links, which are named by their codes here. */
const PARAMETERS: QueryOptions<Exclude<keyof Query, 'linkIds'>> = {
  groupBy: { option: 'by', short: 'b', value: 'GROUP', text: 'link unless set', choices: GROUPS },
  start: { option: 'start', value: 'TIME', text: 'the first day, such as 2027-01-01' },
  end: { option: 'end', value: 'TIME', text: 'the last day' },
  interval: {
    option: 'interval',
    value: 'INTERVAL',
    text: 'a series for each link or tag, with --json',
    choices: ['day', 'month'],
  },
  limit: {
    option: 'limit',
    short: 'n',
    value: 'N',
    min: 1,
    text: 'how many to print; 100 at most',
  },
  tag: { option: 'tag', short: 't', value: 'NAME', text: 'only links with this tag' },
  domain: { option: 'domain', value: 'HOST', text: 'only links on this domain' },
  country: filter('country'),
  device: filter('device'),
  browser: filter('browser'),
  os: filter('os'),
  referrer: filter('referrer'),
  utmSource: filter('utm-source'),
  utmMedium: filter('utm-medium'),
  utmCampaign: filter('utm-campaign'),
};

export const clicksCommand: Command = {
  args: [],
  summary: 'Count clicks on many links in any period, by link, tag, day or value.',
  options: {
    ...optionsOf(PARAMETERS),
    link: { value: 'CODE', short: 'l', isList: true, text: 'only this link' },
  },
  examples: ['hop clicks --country DE --start 2027-01-01 --end 2027-01-07', 'hop clicks --by tag'],
  async run(call) {
    const { client, list, print } = call;
    const links = await Promise.all(list('link').map((name) => findLink(client(), name)));
    const linkIds = links.map(({ id }) => id).join(',');
    const query = { ...parametersIn(call), ...(linkIds === '' ? {} : { linkIds }) };
    const found = await request(() =>
      dataOf(client().GET('/analytics/clicks', { params: { query } })),
    );
    const rows = found.data.map(({ value, shortUrl, clicks }) => [
      (shortUrl && withoutScheme(shortUrl)) || value || 'unknown',
      String(clicks),
    ]);
    const { start, end } = found.period;
    const title = bold(`Clicks by ${found.groupBy}, ${start} to ${end}`);
    print(found, [title, ...table([['Total', String(found.totals.clicks)], ...rows])]);
  },
};

function parametersIn(call: Call): Omit<Query, 'linkIds'>;
function parametersIn(call: Call): object {
  return queryIn(PARAMETERS, call);
}
