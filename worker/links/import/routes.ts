import { linkMessage, type LinkRefusal } from '#worker/messages/links.ts';
import { Hono, type Context } from 'hono';
import type * as z from 'zod/mini';
import {
  importCheckRequest,
  importRequest,
  type importRow,
  type ImportCheckLine,
  type ImportCheckResponse,
  type ImportLine,
  type ImportResponse,
} from '#contract/import.ts';
import { requestContext, type ApiEnv, type RequestContext } from '#worker/http/context.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import {
  checkImport,
  importLinks,
  type ImportOptions,
  type WithRefusal,
  type RowToImport,
} from './import-links.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { readLinkSettings } from '#worker/links/settings/link-settings.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { reputationOf, targetPolicy } from '#worker/links/write/write-links.ts';

/** Earlier dates come from clocks that were never set. */
const OLDEST = Date.UTC(1990, 0, 1);

export const importRoutes = new Hono<ApiEnv>();

importRoutes.post('/links/import/check', async (c) => {
  const { id } = requireMember(c);
  const { format, rows } = readJson(c, importCheckRequest);
  await rateLimit(c.env.LIMIT_WRITES, id);
  const now = c.get('now');
  const result = await checkImport(c.get('db'), id, parseRows(c, rows), format, now);
  const response: ImportCheckResponse = { ...result, lines: result.lines.map(toCheckLine) };
  return c.json(response);
});

importRoutes.post('/links/import', async (c) => {
  const { id: userId } = requireMember(c);
  const { format, id, collisions, rows } = readJson(c, importRequest);
  await rateLimit(c.env.LIMIT_WRITES, userId);
  const options = { userId, source: format, importId: id, collisions };
  const result = await createImported(requestContext(c), parseRows(c, rows), options);
  const response: ImportResponse = { lines: result.lines.map(toLine), usage: result.usage };
  return c.json(response);
});

/** Adds the full stop that a quota message lacks, because elsewhere more text follows it. */
const sentenceOf = (error: LinkRefusal): string => linkMessage(error).replace(/\.?$/, '.');

const toLine = (line: WithRefusal<ImportLine>): ImportLine =>
  'error' in line ? { ...line, error: sentenceOf(line.error) } : line;

const toCheckLine = (line: WithRefusal<ImportCheckLine>): ImportCheckLine =>
  'error' in line ? { ...line, error: sentenceOf(line.error) } : line;

function parseRows(c: Context<ApiEnv>, rows: readonly z.output<typeof importRow>[]): RowToImport[] {
  const now = c.get('now');
  const policy = targetPolicy(requestContext(c));
  return rows.map(
    ({
      line,
      url,
      code = '',
      externalId,
      tags,
      createdAt,
      expiresAt,
      clicks,
      sourceId,
      nth,
      disabled,
      ...given
    }) => {
      const input = {
        ...readLinkSettings(given),
        target: url,
        tags,
        externalId: externalId || null,
      };
      const parsed = parseLinkDraft(input, { isMember: true, policy, now });
      // An expired link keeps its end, so it responds as before and nobody else can take its code.
      const end = expiresAt === undefined ? null : Math.max(Date.parse(expiresAt), OLDEST);
      const created = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
      return {
        ...(parsed.ok ? { ok: true, draft: { ...parsed.draft, expiresAt: end } } : parsed),
        line,
        code: code === '' ? null : code,
        sourceId: sourceId ?? null,
        nth,
        facts: {
          createdAt: created >= OLDEST ? created : null,
          clicks: clicks ?? null,
          disabled: disabled ?? false,
        },
      };
    },
  );
}

async function createImported(
  context: RequestContext,
  rows: readonly RowToImport[],
  options: Pick<ImportOptions, 'userId' | 'source' | 'importId' | 'collisions'>,
): ReturnType<typeof importLinks> {
  const { db, env, origins, now, waitUntil } = context;
  const shared = { reputation: reputationOf(context), now, random: cryptoRandom };
  const result = await importLinks(db, rows, { ...shared, ...options });
  if (result.ids.length === 0) return result;
  waitUntil(publishLater(env, result.ids, now));
  await evict(result.reused.map((code) => previewKey(origins, code)));
  return result;
}
