import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer as readAll } from 'node:stream/consumers';
import {
  answerOf,
  dataOf,
  RequestFailed,
  type HopClient,
  type LinkBody,
  type WrittenLink,
} from './client.ts';
import { PartlyFailed, UsageError, type Command } from './command.ts';
import { readLinks } from './read-links.ts';
import { plural } from '#contract/language.ts';
import { showProgress } from './progress.ts';
import { request } from './request.ts';

/**
 * Takes the results of the next links, in their order. They are repeated if an earlier run has
 * sent the same request.
 */
type Report = (results: readonly Line[], isRepeated: boolean) => void;
type Line = { ok: true; link: WrittenLink } | { ok: false; code: string; detail: string };
/** After one of these problems, no later line can succeed. */
const FATAL: ReadonlySet<string> = new Set([
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
  'quota_reached',
]);

export const importCommand: Command = {
  args: [{ name: 'FILE' }],
  summary: 'Create the links of a file, as the website reads it (- for standard input).',
  options: {
    'dry-run': { text: 'say what would be created and lost, and create nothing' },
    yes: { short: 'y', text: 'create the links although they lose what is listed' },
    again: { text: 'create links again that an earlier run with this file has created' },
  },
  examples: ['hop import links.csv --dry-run'],
  async run({ args: [file = ''], has, client, print, printLine }) {
    const bytes = file === '-' ? await readAll(process.stdin) : readBytes(file);
    const { links, losses } = await readLinks(bytes, Date.now());
    if (has('dry-run')) {
      print({ links: links.length, losses }, [plural(links.length, 'link'), ...losses]);
      return;
    }
    if (losses.length > 0 && !has('yes'))
      throw new UsageError(
        [...losses, 'Nothing was created. Add --yes to create the links without these.'].join('\n'),
      );
    const api = client();
    const { limits } = await request(() => dataOf(api.GET('/me')));
    const lines: Line[] = [];
    let repeated = 0;
    const progress = showProgress('links', links.length);
    const report: Report = (results, isRepeated) => {
      if (isRepeated) repeated += results.length;
      progress.clear();
      for (const line of results) {
        printLine(describe(line, links[lines.length]?.url ?? ''));
        lines.push(line);
      }
      progress.show(lines.length);
    };
    const size = limits.linksPerBulkRequest;
    const salt = has('again') ? randomUUID() : '';
    const summary = () => {
      const created = lines.filter(({ ok }) => ok).length;
      return { created, failed: links.length - created };
    };
    try {
      await (size > 0
        ? inBulk(api, links, size, salt, report)
        : oneByOne(api, links, salt, report));
    } finally {
      progress.clear();
      if (has('json')) print({ ...summary(), results: lines }, []);
    }
    if (repeated > 0 && !has('json'))
      console.error(
        `${plural(repeated, 'link')} created by an earlier run. What was deleted since then needs --again.`,
      );
    const { created, failed } = summary();
    if (failed > 0) throw new PartlyFailed(`${created} created, ${failed} failed.`);
  },
};

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${file} could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function inBulk(
  client: HopClient,
  links: readonly LinkBody[],
  size: number,
  salt: string,
  report: Report,
): Promise<void> {
  for (let at = 0; at < links.length; at += size) {
    const body = { links: links.slice(at, at + size) };
    const params = { header: { 'Idempotency-Key': keyOf(at, body, salt) } };
    const { data, response } = await request(() =>
      answerOf(client.POST('/links/bulk', { body, params })),
    );
    const { results } = data;
    report(results, isRepeat(response));
    if (results.some((line) => !line.ok && FATAL.has(line.code))) return;
  }
}

/**
 * Creates one link at a time, as fast as the key's limit allows, for plans without bulk requests.
 */
async function oneByOne(
  client: HopClient,
  links: readonly LinkBody[],
  salt: string,
  report: Report,
): Promise<void> {
  for (const [index, body] of links.entries()) {
    const params = { header: { 'Idempotency-Key': keyOf(index, body, salt) } };
    try {
      const { data, response } = await request(() =>
        answerOf(client.POST('/links', { body, params })),
      );
      report([{ ok: true, link: data }], isRepeat(response));
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.problem === null) throw error;
      const { code, detail } = error.problem;
      report([{ ok: false, code, detail }], false);
      if (FATAL.has(code)) return;
    }
  }
}

/**
 * The key depends on the content, so importing the same file again within a day creates no
 * duplicates. An interrupted import can be repeated.
 */
const keyOf = (position: number, body: object, salt: string): string =>
  `hop-import-${createHash('sha256')
    .update(`${salt}${position}\n${JSON.stringify(body)}`)
    .digest('hex')}`;

const isRepeat = ({ headers }: Response): boolean => headers.get('Idempotency-Replayed') === 'true';

const describe = (line: Line, url: string): string =>
  line.ok ? `${line.link.shortUrl}\t${line.link.url ?? url}` : `failed: ${line.detail}\t${url}`;
