import { randomUUID } from 'node:crypto';
import { plural } from '#contract/language.ts';
import { UTM_FIELDS } from '#contract/presets/utm-templates.ts';
import { writeUtm, type UtmValues } from '#web/shared/link-settings/utm.ts';
import { dataOf, done, type ApiLink } from './client.ts';
import { UsageError, type Call, type Command, type Options } from './command.ts';
import { confirm } from './confirm.ts';
import { findLink, LINK } from './find-link.ts';
import { FILTER_OPTIONS, filtersIn, readPages } from './link-filters.ts';
import { describeSettings, passwordIn, SETTING_OPTIONS, settingsIn } from './link-settings.ts';
import { showProgress } from './progress.ts';
import { request } from './request.ts';
import { table } from './text.ts';

const SORTS = [
  '-createdAt',
  'createdAt',
  '-clicks',
  'clicks',
  '-lastClickAt',
  'lastClickAt',
  'code',
  '-code',
] as const;

const UTM_OPTIONS: Options = Object.fromEntries(
  UTM_FIELDS.map((field) => [
    `utm-${field}`,
    { value: 'TEXT', text: `utm_${field} of the target` },
  ]),
);
const TAG = { value: 'NAME', short: 't', isList: true } as const;
const DOMAIN = { value: 'HOST', text: 'the domain of the short URL; empty for the own short host' };
const EXTERNAL_ID = { value: 'ID', text: 'the id that your own system has for the link' };

export const shortenCommand: Command = {
  args: [{ name: 'URL' }],
  summary: 'Create a short link and print it.',
  options: {
    alias: { value: 'CODE', short: 'a', text: 'the part behind the host; generated if absent' },
    domain: DOMAIN,
    ...SETTING_OPTIONS,
    tag: { ...TAG, text: 'a tag of the link' },
    ...UTM_OPTIONS,
    'external-id': EXTERNAL_ID,
    disabled: { text: 'create it disabled' },
  },
  examples: ['hop shorten https://example.com/spring --alias spring --tag sale --utm-source mail'],
  async run(call) {
    const { args, text, list, has, client, print } = call;
    const [code, externalId, tags] = [text('alias'), text('external-id'), list('tag')];
    const domain = text('domain');
    const body = {
      url: withUtm(args[0] ?? '', text),
      ...(code === undefined ? {} : { code }),
      ...(domain === undefined ? {} : { domain }),
      ...settingsIn(call),
      ...(await passwordIn(call)),
      ...(externalId === undefined ? {} : { externalId }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(has('disabled') ? { enabled: false } : {}),
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
    ...FILTER_OPTIONS,
    sort: { value: 'ORDER', text: 'with - descending', choices: SORTS },
    limit: { value: 'N', short: 'n', min: 1, text: 'links to print; 20 unless set' },
    all: { text: 'print all links' },
    cursor: { value: 'CURSOR', text: 'the page after this one, as printed below a list' },
    count: { text: 'print only how many links there are' },
  },
  examples: [
    'hop list --tag sale --sort -clicks',
    'hop list --last-click-before 2027-01-01T00:00:00Z',
  ],
  async run(call) {
    const { text, number, choice, has, client, print } = call;
    const filters = filtersIn(call);
    if (has('count')) {
      const found = await request(() =>
        dataOf(client().GET('/links/count', { params: { query: filters } })),
      );
      return print(found, [String(found.count)]);
    }
    const [sort, cursor] = [choice('sort', SORTS), text('cursor')];
    const query = {
      ...filters,
      ...(sort === undefined ? {} : { sort }),
      ...(cursor === undefined ? {} : { cursor }),
      limit: has('all') ? Infinity : (number('limit') ?? 20),
    };
    const progress = showProgress('links');
    const page = await readPages(client(), query, progress.show).finally(progress.clear);
    const rows = page.data.map(({ shortUrl, clicks, state, url }) => [
      shortUrl,
      plural(clicks, 'click'),
      state,
      url,
    ]);
    const more =
      page.nextCursor === null ? [] : ['', `More: repeat this with --cursor ${page.nextCursor}`];
    print(page, [...(rows.length === 0 ? ['No links.'] : table(rows)), ...more]);
  },
};

export const getCommand: Command = {
  args: [LINK],
  summary: 'Show a link with its settings.',
  options: {},
  async run({ args, client, print }) {
    const link = await findLink(client(), args[0]);
    print(link, describeLink(link));
  },
};

export const updateCommand: Command = {
  args: [LINK],
  summary: 'Change where a link leads, its code, its settings, or whether it works.',
  options: {
    to: { value: 'URL', text: 'the new target' },
    code: { value: 'CODE', text: 'the new code; the present one keeps redirecting' },
    domain: { ...DOMAIN, text: 'the domain to move it to; its short URL keeps redirecting' },
    ...SETTING_OPTIONS,
    tag: { ...TAG, text: 'the tags that it has from now on' },
    'add-tag': { value: 'NAME', isList: true, text: 'one more tag' },
    'remove-tag': { value: 'NAME', isList: true, text: 'a tag to take away' },
    ...UTM_OPTIONS,
    'external-id': EXTERNAL_ID,
    enable: { text: 'make the link work again' },
    disable: { text: 'stop the link; it can be enabled again' },
  },
  examples: ['hop update spring --to https://example.com/summer --add-tag summer'],
  async run(call) {
    const { args, text, has, client, print } = call;
    if (has('enable') && has('disable'))
      throw new UsageError('Choose one of --enable and --disable.');
    const [code, externalId] = [text('code'), text('external-id')];
    const domain = text('domain');
    const plain = {
      ...(code === undefined ? {} : { code }),
      ...(domain === undefined ? {} : { domain }),
      ...settingsIn(call),
      ...(await passwordIn(call)),
      ...(externalId === undefined ? {} : { externalId: externalId === '' ? null : externalId }),
      ...(has('enable') || has('disable') ? { enabled: has('enable') } : {}),
    };
    const target = (url: string) => withUtm(text('to') ?? url, text);
    if (Object.keys(plain).length === 0 && target('') === '' && !changesTags(call))
      throw new UsageError('Nothing to change.');
    const before = await findLink(client(), args[0]);
    const body = {
      ...(target('') === '' ? {} : { url: target(before.url) }),
      ...plain,
      ...(changesTags(call) ? { tags: tagsAfter(call, before.tags) } : {}),
    };
    const link = await request(() =>
      dataOf(client().PATCH('/links/{id}', { params: { path: { id: before.id } }, body })),
    );
    print(link, table([[link.shortUrl, link.state ?? '', link.url ?? '']]));
  },
};

export const removeCommand: Command = {
  args: [LINK],
  summary: 'Delete a link. The trash on the website keeps it for a while.',
  options: { yes: { short: 'y', text: 'do not ask' } },
  async run({ args, has, client, print }) {
    const { id, code, shortUrl } = await findLink(client(), args[0]);
    if (
      !has('yes') &&
      !(await confirm(
        `Delete ${shortUrl}? It stops redirecting. [y/N] `,
        'Add --yes to delete without being asked.',
      ))
    )
      return;
    await request(() => done(client().DELETE('/links/{id}', { params: { path: { id } } })));
    print({ deleted: code }, [`Deleted ${shortUrl}.`]);
  },
};

function withUtm(url: string, text: Call['text']): string {
  const values: Partial<UtmValues> = {};
  for (const field of UTM_FIELDS) {
    const value = text(`utm-${field}`);
    if (value !== undefined) values[field] = value;
  }
  return writeUtm(url, values);
}

const changesTags = ({ list }: Call): boolean =>
  ['tag', 'add-tag', 'remove-tag'].some((name) => list(name).length > 0);

/** The names of tags have no case. */
function tagsAfter({ list }: Call, before: readonly string[]): string[] {
  const removed = new Set(list('remove-tag').map((name) => name.toLowerCase()));
  const wanted = [...(list('tag').length > 0 ? list('tag') : before), ...list('add-tag')];
  return wanted.filter((name) => !removed.has(name.toLowerCase()));
}

export function describeLink(link: ApiLink): string[] {
  const rows = [
    ['Short URL', link.shortUrl],
    ['Target', link.url],
    ['Status', [link.state, link.statusReason ?? ''].join(' ').trim()],
    ['Clicks', String(link.clicks)],
    ['Clicks before the import', String(link.importedClicks ?? '')],
    ['Tags', link.tags.join(', ')],
    ['Created', link.createdAt],
    ['Changed', link.updatedAt],
    ...describeSettings(link),
    ['Password', link.hasPassword ? 'yes' : ''],
    ['Preview card', link.card?.title ?? ''],
    ['External id', link.externalId ?? ''],
    ['Earlier codes', link.earlierCodes.join(', ')],
  ];
  return table(rows.filter(([, value]) => value !== ''));
}
