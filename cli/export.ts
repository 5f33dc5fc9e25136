import { writeFileSync } from 'node:fs';
import { csvText } from '#contract/csv.ts';
import { plural } from '#contract/language.ts';
import type { ApiLink } from './client.ts';
import type { Command } from './command.ts';
import { FILTER_OPTIONS, filtersIn, readPages } from './link-filters.ts';
import { showProgress } from './progress.ts';

const FORMATS = ['csv', 'json'] as const;

/** The columns of the CSV. The import knows them (web/features/import/formats/formats.ts). */
const COLUMNS: Readonly<Record<string, (link: ApiLink) => string | number>> = {
  short_url: ({ shortUrl }) => shortUrl,
  long_url: ({ url }) => url,
  status: ({ status }) => status,
  status_reason: ({ statusReason }) => statusReason ?? '',
  created_at: ({ createdAt }) => createdAt,
  expires_at: ({ expiresAt }) => expiresAt ?? '',
  clicks: ({ clicks }) => clicks,
  title: ({ title }) => title,
  note: ({ note }) => note,
  tags: ({ tags }) => tags.join(', '),
  archived: ({ archived }) => String(archived),
  favorite: ({ favorite }) => String(favorite),
  forward_params: ({ forwardParams }) =>
    forwardParams === 'none' ? '' : [forwardParams].flat().join(','),
  imported_clicks: ({ importedClicks }) => importedClicks ?? '',
  short_code: ({ code }) => code,
  earlier_codes: ({ earlierCodes }) => earlierCodes.join(' '),
  external_id: ({ externalId }) => externalId ?? '',
};

export const exportCommand: Command = {
  args: [],
  summary: 'Write your links to a file or to standard output.',
  options: {
    ...FILTER_OPTIONS,
    format: { value: 'FORMAT', text: 'csv unless set', choices: FORMATS },
    output: { value: 'FILE', short: 'o', text: 'the file; standard output unless set' },
  },
  examples: ['hop export --output links.csv', 'hop export --tag sale --json'],
  async run(call) {
    const { client, text, choice, has, print } = call;
    const progress = showProgress('links read');
    const query = { ...filtersIn(call), sort: 'createdAt' as const, limit: Infinity };
    const { data } = await readPages(client(), query, progress.show);
    progress.clear();
    const isJson = has('json') || choice('format', FORMATS) === 'json';
    const names = Object.keys(COLUMNS);
    const content = isJson
      ? `${JSON.stringify(data, null, 2)}\n`
      : csvText([names, ...data.map((link) => Object.values(COLUMNS).map((cell) => cell(link)))]);
    const file = text('output');
    if (file === undefined) return print(data, [content.trimEnd()]);
    writeFileSync(file, content);
    print({ file, links: data.length }, [`Wrote ${plural(data.length, 'link')} to ${file}.`]);
  },
};
