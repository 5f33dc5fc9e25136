import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer as readAll } from 'node:stream/consumers';
import { COLLISION_CHOICES } from '#contract/files/import-formats.ts';
import { SOURCE_NAMES } from '#contract/files/import-sources.ts';
import { plural } from '#contract/language.ts';
import { IMPORT_CHECK_MAX, IMPORT_MAX } from '#contract/limits.ts';
import type { ImportRequestRow } from '#contract/files/import.ts';
import { splitRows } from '#web/features/import/import-requests.ts';
import type { components } from './api.d.ts';
import { dataOf, type HopClient } from './client.ts';
import { NotLoggedIn, PartlyFailed, UsageError, type Call, type Command } from './command.ts';
import { showProgress } from './progress.ts';
import { readLinks } from './read-links.ts';
import { readServer } from './read-server.ts';
import { request } from './request.ts';

type Links = Awaited<ReturnType<typeof readLinks>>;
type Row = components['schemas']['ImportRow'];
type Result = components['schemas']['ImportRowResult'];

export const importCommand: Command = {
  args: [{ name: 'FILE', isOptional: true }],
  summary: 'Create the links of a file, as the website reads it (- for standard input).',
  options: {
    'dry-run': { text: 'say what would be created and lost, and create nothing' },
    yes: { short: 'y', text: 'create the links although they lose what is listed' },
    collisions: {
      value: 'CHOICE',
      text: 'what happens to a row whose code is taken: skip (else), new_code or suffix',
      choices: COLLISION_CHOICES,
    },
    from: {
      value: 'SERVICE',
      text: 'read the links of a server, with the key in HOP_SOURCE_KEY',
      choices: SOURCE_NAMES,
    },
    address: { value: 'URL', text: 'the address of that server' },
  },
  examples: [
    'hop import links.csv --dry-run',
    'hop import --from shlink --address https://s.example.com',
  ],
  async run(call) {
    const bytes = await readBytes(call);
    const links = await readLinks(bytes);
    const { losses } = links;
    if (call.has('dry-run')) return check(call, links);
    if (losses.length > 0 && !call.has('yes'))
      throw new UsageError(
        [...losses, 'Nothing was created. Add --yes to create the links without these.'].join('\n'),
      );
    // The same file has the same id, so a second run continues the import: the server does not
    // create a row twice.
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
    return create(call, links, id);
  },
};

async function readBytes({ args: [file], text, choice, env }: Call): Promise<Uint8Array> {
  const from = choice('from', SOURCE_NAMES);
  if (from !== undefined)
    return new TextEncoder().encode(
      await readServer(from, text('address') ?? '', env['HOP_SOURCE_KEY'] ?? ''),
    );
  if (file === undefined) throw new UsageError('FILE is missing.');
  if (file === '-') return readAll(process.stdin);
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${file} could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Members without a value are not sent. */
function toRow({ line: _line, url, ...given }: ImportRequestRow): Row {
  const members: object = JSON.parse(JSON.stringify(given));
  return Object.assign(members, { url });
}

/** The parts of a file that one request takes. `offset` is the number of rows before them. */
const partsOf = ({ rows, format }: Links, max: number) =>
  splitRows(rows, max).map((part) => ({
    format,
    offset: (part[0]?.line ?? 1) - 1,
    rows: part.map(toRow),
  }));

/** Says what an import would do. Without a key it says what the file tells. */
async function check(call: Call, links: Links): Promise<void> {
  const { rows, losses } = links;
  const api = clientOf(call);
  const counts = new Map<string, number>();
  const lost: string[] = [];
  const progress = showProgress('rows checked', rows.length);
  let rooms = {};
  for (const body of partsOf(links, IMPORT_CHECK_MAX)) {
    if (api === null) break;
    const { results, ...left } = await request(() => dataOf(api.POST('/imports/check', { body })));
    rooms = left;
    for (const { verdict, detail } of results)
      counts.set(detail ?? verdict, (counts.get(detail ?? verdict) ?? 0) + 1);
    for (const [at, row] of results.entries())
      if (row.losses.length > 0)
        lost.push(`row ${body.offset + at + 1}: loses ${row.losses.join(', ')}`);
    progress.show(body.offset + results.length);
  }
  progress.clear();
  const verdicts = Object.fromEntries(counts);
  call.print({ links: rows.length, losses: [...losses, ...lost], verdicts, ...rooms }, [
    plural(rows.length, 'link'),
    ...[...counts].map(([verdict, count]) => `${count}: ${verdict}`),
    ...losses,
    ...lost,
  ]);
}

function clientOf(call: Call): HopClient | null {
  try {
    return call.client();
  } catch (error) {
    if (error instanceof NotLoggedIn) return null;
    throw error;
  }
}

async function create(call: Call, links: Links, id: string): Promise<void> {
  const api = call.client();
  const collisions = call.choice('collisions', COLLISION_CHOICES) ?? 'skip';
  const results: Result[] = [];
  const progress = showProgress('links', links.rows.length);
  const count = (verdict: Result['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  try {
    for (const part of partsOf(links, IMPORT_MAX)) {
      const body = { id, collisions, ...part };
      const answer = await request(() => dataOf(api.POST('/imports', { body })));
      progress.clear();
      for (const [at, result] of answer.results.entries())
        call.printLine(describe(result, part.rows[at]?.url ?? ''));
      results.push(...answer.results);
      progress.show(results.length);
      // No later row has room, either.
      if (count('over_quota') > 0) break;
    }
  } finally {
    progress.clear();
    const [created, exists] = [count('created'), count('exists')];
    const failed = links.rows.length - created - exists;
    if (call.has('json')) call.print({ created, exists, failed, results }, []);
  }
  const [created, exists] = [count('created'), count('exists')];
  const failed = links.rows.length - created - exists;
  if (!call.has('json') && exists > 0) console.error(`${plural(exists, 'link')} already there.`);
  if (failed > 0) throw new PartlyFailed(`${created} created, ${failed} failed.`);
}

const describe = ({ verdict, shortUrl, detail }: Result, url: string): string =>
  shortUrl === null
    ? `failed: ${detail ?? verdict}\t${url}`
    : `${verdict === 'exists' ? 'exists: ' : ''}${shortUrl}\t${url}`;
