import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { paths } from './api.d.ts';
import { answerOf, dataOf, RequestFailed, type ApiLink } from './client.ts';
import { UsageError, type Call, type Command } from './command.ts';
import { findLink, LINK } from './find-link.ts';
import { settingsOf } from './link-settings.ts';
import { describeLink } from './links.ts';
import { request } from './request.ts';

type Patch = NonNullable<
  paths['/links/{id}']['patch']['requestBody']
>['content']['application/json'];
/** Without the password, which nobody can read. */
type Draft = { [Name in Exclude<keyof Required<Patch>, 'password'>]: unknown };

export const editCommand: Command = {
  args: [LINK],
  summary: 'Edit a link as JSON in $VISUAL or $EDITOR.',
  options: {},
  async run({ args, client, env, print }) {
    const api = client();
    const { id } = await findLink(api, args[0]);
    const path = { id };
    const { data: before, response } = await request(() =>
      answerOf(api.GET('/links/{id}', { params: { path } })),
    );
    const etag = response.headers.get('ETag');
    const file = join(
      mkdtempSync(join(tmpdir(), 'hop-')),
      `${before.code.replaceAll('/', '-')}.json`,
    );
    writeFileSync(file, `${JSON.stringify(draftOf(before), null, 2)}\n`);
    runEditor(file, env);
    try {
      const body = changesIn(readFileSync(file, 'utf8'), before);
      const header = etag === null ? {} : { 'If-Match': etag };
      const link =
        Object.keys(body).length === 0
          ? before
          : await request(() =>
              dataOf(api.PATCH('/links/{id}', { params: { path, header }, body })),
            );
      rmSync(dirname(file), { recursive: true });
      print(link, link === before ? ['Nothing changed.'] : describeLink({ ...before, ...link }));
    } catch (error) {
      console.error(`Your text is in ${file}.`);
      throw error;
    }
  },
};

/** Returns the present values of everything that can be changed. */
const draftOf = (link: ApiLink): Draft => ({
  url: link.url,
  code: new URL(link.shortUrl).pathname.slice(1),
  domain: link.domain,
  tags: link.tags,
  enabled: link.status !== 'disabled',
  ...settingsOf(link),
  externalId: link.externalId,
});

/** The members of `text` that differ from the link. The server checks their values. */
function changesIn(text: string, link: ApiLink): Patch;
function changesIn(text: string, link: ApiLink): object {
  const draft: Readonly<Record<string, unknown>> = draftOf(link);
  return Object.fromEntries(
    Object.entries(parse(text)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(draft[name]),
    ),
  );
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new UsageError(`The text is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  throw new UsageError('The text is no JSON object.');
}

/** Runs the editor in a shell, as Git does, because the variable may have arguments. */
function runEditor(file: string, env: Call['env']): void {
  const isWindows = process.platform === 'win32';
  const editor = env['VISUAL'] || env['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  const { status } = isWindows
    ? spawnSync(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
    : spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  if (status !== 0)
    throw new RequestFailed(`${editor} ended with an error. Nothing was changed.`, null);
}
