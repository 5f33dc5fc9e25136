import { writeFileSync } from 'node:fs';
import type { paths } from './api.d.ts';
import { dataOf } from './client.ts';
import type { Command } from './command.ts';
import { request } from './request.ts';

type Query = NonNullable<paths['/export']['get']['parameters']['query']>;

const FORMATS = [
  'csv',
  'json',
  'redirects',
  'nginx',
  'apache',
  'caddy',
  'cloudflare',
  'shlink',
  'yourls',
  'dub',
] as const satisfies readonly Query['format'][];

export const exportCommand: Command = {
  args: [],
  summary: 'Write all your links to a file or to standard output.',
  options: {
    format: { value: 'FORMAT', short: 'f', text: 'csv unless set', choices: FORMATS },
    output: { value: 'FILE', short: 'o', text: 'the file; standard output unless set' },
  },
  examples: ['hop export --output links.csv', 'hop export --format nginx'],
  async run({ client, text, choice, has, print }) {
    const file = text('output');
    const isJson = has('json') && file === undefined;
    const format = choice('format', FORMATS) ?? (isJson ? 'json' : 'csv');
    const params = { query: { format } };
    const content = await request(() =>
      dataOf(client().GET('/export', { params, parseAs: 'text' })),
    );
    if (file !== undefined) {
      writeFileSync(file, content);
      return print({ file, format }, [`Wrote ${file}.`]);
    }
    print(format === 'json' ? JSON.parse(content) : { format, content }, [content.trimEnd()]);
  },
};
