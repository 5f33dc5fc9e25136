import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer as readAll } from 'node:stream/consumers';
import {
  dataOf,
  RequestFailed,
  type HopClient,
  type LinkBody,
  type WrittenLink,
} from './client.ts';
import { PartlyFailed, UsageError, type Command } from './command.ts';
import { readLinks } from './read-links.ts';
import { plural } from '#contract/language.ts';
import { request } from './request.ts';

type Line = { ok: true; link: WrittenLink } | { ok: false; code: string; detail: string };
/** After one of these problems, no later line can succeed. */
const FATAL: ReadonlySet<string> = new Set([
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
  'quota_reached',
]);

export const importCommand: Command = {
  args: ['FILE'],
  summary: 'Create the links of a file, as the website reads it (- for standard input).',
  options: {
    'dry-run': { text: 'say what would be created and lost, and create nothing' },
    yes: { short: 'y', text: 'create the links although they lose what is listed' },
  },
  async run({ args: [file = ''], has, client, print }) {
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
    const lines =
      limits.linksPerBulkRequest > 0
        ? await inBulk(api, links, limits.linksPerBulkRequest)
        : await oneByOne(api, links);
    const created = lines.filter(({ ok }) => ok).length;
    const failed = links.length - created;
    print(
      { created, failed, results: lines },
      lines.map((line, index) => describe(line, links[index]?.url ?? '')),
    );
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
): Promise<Line[]> {
  const lines: Line[] = [];
  for (let at = 0; at < links.length; at += size) {
    const body = { links: links.slice(at, at + size) };
    const params = { header: { 'Idempotency-Key': keyOf(at, body) } };
    const { results } = await request(() => dataOf(client.POST('/links/bulk', { body, params })));
    lines.push(...results);
    if (results.some((line) => !line.ok && FATAL.has(line.code))) return lines;
  }
  return lines;
}

/**
 * Creates one link at a time, as fast as the key's limit allows, for plans without bulk requests.
 */
async function oneByOne(client: HopClient, links: readonly LinkBody[]): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [index, body] of links.entries()) {
    const params = { header: { 'Idempotency-Key': keyOf(index, body) } };
    try {
      lines.push({
        ok: true,
        link: await request(() => dataOf(client.POST('/links', { body, params }))),
      });
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.problem === null) throw error;
      const { code, detail } = error.problem;
      lines.push({ ok: false, code, detail });
      if (FATAL.has(code)) return lines;
    }
  }
  return lines;
}

/**
 * The key depends on the content, so importing the same file again within a day creates no
 * duplicates. An interrupted import can be repeated.
 */
const keyOf = (position: number, body: object): string =>
  `hop-import-${createHash('sha256')
    .update(`${position}\n${JSON.stringify(body)}`)
    .digest('hex')}`;

const describe = (line: Line, url: string): string =>
  line.ok ? `${line.link.shortUrl}\t${line.link.url ?? url}` : `failed: ${line.detail}\t${url}`;
