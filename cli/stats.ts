import { dataOf } from './client.ts';
import type { Call, Command } from './command.ts';
import { findLink, LINK } from './find-link.ts';
import { request } from './request.ts';
import { bold, table, withoutScheme } from './text.ts';

const RANGES = ['today', '24h', '7d', '30d', '90d', '12m', 'all'] as const;
const INTERVALS = ['hour', 'day', 'month'] as const;
/** What clicks are counted by, besides links, tags and time. */
export const CLICK_DIMENSIONS = [
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
const COUNTS_SHOWN = 5;

export const statsCommand: Command = {
  args: [{ ...LINK, isOptional: true }],
  summary: 'Show the clicks on a link, or on all links.',
  options: {
    range: { value: 'RANGE', short: 'r', text: '30d unless set', choices: RANGES },
    interval: { value: 'INTERVAL', text: 'of the series with --json', choices: INTERVALS },
    dimension: {
      value: 'NAME',
      short: 'd',
      isList: true,
      text: 'count by',
      choices: CLICK_DIMENSIONS,
    },
  },
  examples: ['hop stats spring --range 7d --dimension country'],
  run: (call) => (call.args[0] === undefined ? accountStats(call) : linkStats(call)),
};

async function linkStats({ args, choice, list, client, print }: Call): Promise<void> {
  const link = await findLink(client(), args[0]);
  const [range, interval] = [choice('range', RANGES), choice('interval', INTERVALS)];
  const query = {
    ...(range === undefined ? {} : { range }),
    ...(interval === undefined ? {} : { interval }),
    ...(list('dimension').length === 0 ? {} : { dimensions: list('dimension').join(',') }),
  };
  const params = { path: { id: link.id }, query };
  const found = await request(() => dataOf(client().GET('/links/{id}/analytics', { params })));
  const { clicks, visitors, activeDays } = found.totals;
  const lists = Object.entries(found.dimensions).flatMap(([name, counts]) =>
    listOf(
      name,
      counts.map(({ value, clicks: counted }) => [value || 'unknown', String(counted)]),
    ),
  );
  const totals = [
    ['Clicks', String(clicks)],
    ['Visitors', String(visitors)],
    ['Active days', String(activeDays)],
    ['Bots', `${found.bots} (not counted)`],
  ];
  print(found, [bold(`${link.shortUrl}, ${found.range}`), ...table(totals), ...lists]);
}

async function accountStats({ choice, client, print }: Call): Promise<void> {
  const range = choice('range', RANGES);
  const query = range === undefined ? {} : { range };
  const found = await request(() => dataOf(client().GET('/analytics', { params: { query } })));
  const { clicks, visitors, bots } = found.totals;
  const totals = [
    ['Links', String(found.links)],
    ['Clicks', String(clicks)],
    ['Visitors', String(visitors)],
    ['Bots', `${bots} (not counted)`],
  ];
  const top = found.topLinks.map((link) => [withoutScheme(link.shortUrl), String(link.clicks)]);
  print(found, [bold(`All links, ${found.range}`), ...table(totals), ...listOf('links', top)]);
}

const listOf = (name: string, rows: readonly string[][]): string[] =>
  rows.length === 0 ? [] : ['', bold(name), ...table(rows.slice(0, COUNTS_SHOWN))];
