import { Hono, type Context } from 'hono';
import type * as z from 'zod/mini';
import type { ImportCheckLine, ImportLine } from '#contract/files/import.ts';
import {
  exportQuery,
  importCheckItems,
  importItems,
  importRowV1,
  type ImportCheckResult,
  type ImportCheckV1,
  type ImportLoss,
  type ImportResult,
  type ImportRowResult,
} from '#contract/v1/v1-import.ts';
import { linksFileHeaders, streamLinks } from '#worker/account/export-links.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import type { ShortOrigins } from '#worker/http/origins.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import {
  invalidInput,
  parseInput,
  readJson,
  readQuery,
  requireAccount,
} from '#worker/http/validate.ts';
import {
  checkImport,
  type RowToImport,
  type WithRefusal,
} from '#worker/links/import/import-links.ts';
import { createImported } from '#worker/links/import/create-imported.ts';
import { findImportDomains, parseRows } from '#worker/links/import/parse-rows.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { linkMessage } from '#worker/messages/links.ts';
import { invalidPartsOf } from './problem.ts';

type C = Context<ApiEnv>;
type Row = z.output<typeof importRowV1>;
type Invalid = Pick<ImportRowResult, 'detail' | 'errors'>;
type Lines<Line> = ReadonlyMap<number, WithRefusal<Line>>;
/** A row of a request: to import, or what is wrong with it. */
type Item = { line: number; losses: ImportLoss[] } & ({ row: RowToImport } | { invalid: Invalid });

export const importsV1 = new Hono<ApiEnv>();

importsV1.post('/imports/check', async (c) => {
  const userId = requireAccount(c, 'account_with_prefix');
  const { format = 'csv', offset, rows } = readJson(c, importCheckItems);
  const items = await parseItems(c, userId, rows, offset);
  const now = c.get('now');
  const checked = await checkImport(c.get('db'), rowsOf(items), {
    userId,
    format,
    now,
  });
  const lines = new Map(checked.lines.map((line) => [line.line, line]));
  return c.json({
    quotaRemaining: checked.room,
    importAllowance: checked.allowance,
    results: items.map((item) => toCheck(item, lines)),
  } satisfies ImportCheckResult);
});

importsV1.post('/imports', async (c) => {
  const userId = requireAccount(c, 'account_with_prefix');
  const { id, format = 'csv', collisions = 'skip', offset, rows } = readJson(c, importItems);
  const items = await parseItems(c, userId, rows, offset);
  const options = { userId, format, importId: id, collisions };
  const imported = await createImported(requestContext(c), rowsOf(items), options);
  if (!imported.ok) throw linkError(imported, c.get('now'));
  const lines = new Map(imported.lines.map((line) => [line.line, line]));
  const origins = c.get('origins');
  const results = items.map((item) => toResult(item, lines, origins));
  const created = results.filter(({ verdict }) => verdict === 'created').length;
  return c.json({ created, results } satisfies ImportResult);
});

importsV1.get('/export', async (c) => {
  const userId = requireAccount(c, 'account_with_prefix');
  const { format } = readQuery(c, exportQuery);
  await rateLimit(c.env.LIMIT_VISITOR_LINKS, `export:${userId}`);
  const target = { origins: c.get('origins'), now: c.get('now') };
  const file = await streamLinks(c.get('db'), userId, format, target);
  return c.body(file, 200, linksFileHeaders(format));
});

/** Parses each row independently. `offset` is the number of rows before the first one. */
async function parseItems(
  c: C,
  userId: string,
  rows: readonly unknown[],
  offset = 0,
): Promise<Item[]> {
  const context = requestContext(c);
  const inputs = rows.map((given) => ({ given, parsed: parseInput(importRowV1, given) }));
  const valid = inputs.flatMap(({ parsed }) => (parsed.ok ? [parsed.data] : []));
  const domains = await findImportDomains(context, userId, valid);
  return inputs.map(({ given, parsed }, at): Item => {
    const line = offset + at + 1;
    if (!parsed.ok) {
      const error = invalidInput('invalid_body', parsed.issues);
      const errors = invalidPartsOf(error, ['rows', at]);
      return { line, losses: [], invalid: { detail: error.message, errors } };
    }
    const [row] = parseRows(
      context,
      [{ ...parsed.data, nth: parsed.data.nth ?? 1, line }],
      domains,
    );
    if (row === undefined) throw new Error('A row was lost.');
    return { line, losses: lossesOf(given, parsed.data, row), row };
  });
}

const rowsOf = (items: readonly Item[]): RowToImport[] =>
  items.flatMap((item) => ('row' in item ? [item.row] : []));

/** The members that the link of a row does not get as they were given. */
function lossesOf(given: unknown, row: Row, { facts }: RowToImport): ImportLoss[] {
  const { tags = [], ...texts }: Partial<Row> = Object(given);
  const isCut = (name: 'title' | 'note'): boolean =>
    (texts[name] ?? '').trim().length > (row[name] ?? '').length;
  const names: ImportLoss[] = (['title', 'note'] as const).filter(isCut);
  if ((row.tags ?? []).length < tags.length) names.push('tags');
  if (row.createdAt !== undefined && facts.createdAt === null) names.push('createdAt');
  return names;
}

function lineOf<Line>(lines: ReadonlyMap<number, Line>, { line }: Item): Line {
  const found = lines.get(line);
  if (found === undefined) throw new Error(`There is no verdict on row ${line}.`);
  return found;
}

function toCheck(item: Item, lines: Lines<ImportCheckLine>): ImportCheckV1 {
  const none = { code: null, suffixedCode: null, losses: [] };
  if ('invalid' in item) return { verdict: 'rejected', ...none, ...item.invalid };
  const line = lineOf(lines, item);
  const { verdict } = line;
  if (verdict === 'exists') return { verdict, ...none, code: line.code };
  if (verdict === 'rejected') return { verdict, ...none, detail: linkMessage(line.error) };
  const losses = [...item.losses];
  if (line.losesExternalId === true) losses.push('externalId');
  if (line.lostCodes !== undefined) losses.push('earlierCodes');
  if (verdict === 'new') return { verdict, code: line.code, suffixedCode: null, losses };
  const detail = linkMessage(line.error);
  return { verdict, code: line.code, suffixedCode: line.suffixed, losses, detail };
}

function toResult(item: Item, lines: Lines<ImportLine>, origins: ShortOrigins): ImportRowResult {
  const none = { code: null, shortUrl: null };
  if ('invalid' in item) return { verdict: 'rejected', ...none, ...item.invalid };
  const line = lineOf(lines, item);
  const { verdict } = line;
  if ('error' in line) return { verdict, ...none, detail: linkMessage(line.error) };
  return { verdict, code: line.code, shortUrl: shortUrlOf(origins, line.code) };
}
