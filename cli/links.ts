import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { dataOf, done, type HopClient, type ApiLink } from './client.ts';
import { UsageError, type Call, type Command } from './command.ts';
import { settingOptions, settingsInOptions } from './link-settings.ts';
import { request } from './request.ts';
import { bold, table } from './text.ts';

const STATUSES = ['active', 'disabled', 'expired'] as const;
const RANGES = ['24h', '7d', '30d', '90d', 'all'] as const;
const COUNTS_SHOWN = 5;

export const shortenCommand: Command = {
  args: ['URL'],
  summary: 'Create a short link and print it.',
  options: {
    alias: { value: 'CODE', short: 'a', text: 'the part behind the host; generated if absent' },
    ...settingOptions(', such as 2027-01-31T12:00:00Z'),
    'external-id': { value: 'ID', text: 'the id that your own system has for the link' },
  },
  async run({ args: [url = ''], text, client, print }) {
    const [code, externalId] = [text('alias'), text('external-id')];
    const body = {
      url,
      ...(code === undefined ? {} : { code }),
      ...settingsInOptions(text),
      ...(externalId === undefined ? {} : { externalId }),
    };
    const header = { 'Idempotency-Key': randomUUID() };
    const link = await request(() => dataOf(client().POST('/links', { body, params: { header } })));
    print(link, [link.shortUrl]);
  },
};

export const listCommand: Command = {
  args: [],
  summary: 'List your links, newest first.',
  options: {
    query: { value: 'TEXT', short: 'q', text: 'only links with words that begin like this' },
    status: { value: 'STATUS', text: STATUSES.join(', ') },
    limit: { value: 'N', short: 'n', text: 'links to print, 1 to 100; 20 unless set' },
    cursor: { value: 'CURSOR', text: 'the page after this one, as printed below a list' },
  },
  async run({ text, client, print }) {
    const [q, cursor] = [text('query'), text('cursor')];
    const status = oneOf(STATUSES, text('status'), 'status');
    const query = {
      limit: Number(text('limit') ?? 20),
      ...(q === undefined ? {} : { q }),
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    if (!Number.isInteger(query.limit)) throw new UsageError('--limit must be a whole number.');
    const page = await request(() => dataOf(client().GET('/links', { params: { query } })));
    const rows = page.data.map(({ shortUrl, clicks, status: state, url }) => [
      shortUrl,
      `${clicks} clicks`,
      state,
      url,
    ]);
    const more = page.nextCursor === null ? [] : ['', `More: hop list --cursor ${page.nextCursor}`];
    print(page, rows.length === 0 ? ['No links.'] : [...table(rows), ...more]);
  },
};

export const statsCommand: Command = {
  args: ['CODE'],
  summary: 'Show the clicks on a link.',
  options: { range: { value: 'RANGE', short: 'r', text: `${RANGES.join(', ')}; 30d unless set` } },
  async run({ args, text, client, print }) {
    const range = oneOf(RANGES, text('range'), 'range');
    const link = await findLink(client(), args);
    const params = { path: { id: link.id }, query: range === undefined ? {} : { range } };
    const found = await request(() => dataOf(client().GET('/links/{id}/analytics', { params })));
    const { clicks, visitors, activeDays } = found.totals;
    const lists = Object.entries(found.dimensions).flatMap(([name, counts]) =>
      listOf(name, counts),
    );
    const totals = [
      ['Clicks', String(clicks)],
      ['Visitors', String(visitors)],
      ['Active days', String(activeDays)],
      ['Bots', `${found.bots} (not counted)`],
    ];
    print(found, [bold(`${link.shortUrl}, ${found.range}`), ...table(totals), ...lists]);
  },
};

export const updateCommand: Command = {
  args: ['CODE'],
  summary: 'Change where a link leads, its code, when it stops, or whether it works.',
  options: {
    to: { value: 'URL', text: 'the new target' },
    code: { value: 'CODE', text: 'the new code; the present one keeps redirecting' },
    ...settingOptions(', or "never"'),
    enable: { text: 'make the link work again' },
    disable: { text: 'stop the link; it can be enabled again' },
  },
  async run({ args, text, has, client, print }) {
    const [url, code] = [text('to'), text('code')];
    if (has('enable') && has('disable'))
      throw new UsageError('Choose one of --enable and --disable.');
    const body = {
      ...(url === undefined ? {} : { url }),
      ...(code === undefined ? {} : { code }),
      ...settingsInOptions(text),
      ...(has('enable') || has('disable') ? { enabled: has('enable') } : {}),
    };
    if (Object.keys(body).length === 0) throw new UsageError('Nothing to change.');
    const { id } = await findLink(client(), args);
    const link = await request(() =>
      dataOf(client().PATCH('/links/{id}', { params: { path: { id } }, body })),
    );
    print(link, table([[link.shortUrl, link.status ?? '', link.url ?? '']]));
  },
};

export const removeCommand: Command = {
  args: ['CODE'],
  summary: 'Delete a link. The trash on the website keeps it for a while.',
  options: { yes: { short: 'y', text: 'do not ask' } },
  async run(call) {
    const { id, code, shortUrl } = await findLink(call.client(), call.args);
    if (!call.has('yes') && !(await confirm(`Delete ${shortUrl}? It stops redirecting. [y/N] `)))
      return;
    await request(() => done(call.client().DELETE('/links/{id}', { params: { path: { id } } })));
    call.print({ deleted: code }, [`Deleted ${shortUrl}.`]);
  },
};

type Counts = readonly { value: string; clicks: number }[];

function listOf(name: string, counts: Counts): string[] {
  const rows = counts
    .slice(0, COUNTS_SHOWN)
    .map(({ value, clicks }) => [value || 'unknown', String(clicks)]);
  return rows.length === 0 ? [] : ['', bold(name), ...table(rows)];
}

async function findLink(client: HopClient, [name = '']: Call['args']): Promise<ApiLink> {
  // A short URL is as good as its code, also without https://. Codes of imported links can have
  // slashes, but no dots or colons, which hosts have.
  const code = name
    .replace(/^(?:https?:\/\/[^/]*|[^/]*[.:][^/]*)(?:\/|$)/i, '')
    .replace(/\/+$/, '');
  return request(() => dataOf(client.GET('/links/by-code/{code}', { params: { path: { code } } })));
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('Add --yes to delete without being asked.');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', () => process.exit(130));
  const answer = await lines.question(question);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

function oneOf<T extends string>(
  known: readonly T[],
  given: string | undefined,
  name: string,
): T | undefined {
  if (given === undefined) return undefined;
  const found = known.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${known.join(', ')}.`);
  return found;
}
