import { linkMessage, type LinkRefusal } from '#worker/messages/links.ts';
import { Hono } from 'hono';
import {
  importCheckRequest,
  importRequest,
  importSourceRequest,
  type ImportCheckLine,
  type ImportCheckResponse,
  type ImportLine,
  type ImportResponse,
} from '#contract/files/import.ts';
import type { SourcePage } from '#contract/files/import-sources.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites, rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { checkImport, type WithRefusal } from './import-links.ts';
import { createImported } from './create-imported.ts';
import { findImportDomains, parseRows } from './parse-rows.ts';
import { readSourcePage } from './read-source.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';
import { linkError } from '#worker/links/write/link-errors.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';

export const importRoutes = new Hono<ApiEnv>();

importRoutes.post('/links/import/check', async (c) => {
  const { format, rows } = readJson(c, importCheckRequest);
  const { id } = await limitWrites(c);
  const now = c.get('now');
  const context = requestContext(c);
  const domains = await findImportDomains(context, id, rows);
  const drafts = parseRows(context, rows, domains);
  const result = await checkImport(c.get('db'), drafts, { userId: id, format, now });
  return c.json({ ...result, lines: result.lines.map(toCheckLine) } satisfies ImportCheckResponse);
});

importRoutes.post('/links/import', async (c) => {
  const { format, id, collisions, rows } = readJson(c, importRequest);
  const { id: userId } = await limitWrites(c);
  const options = { userId, format, importId: id, collisions };
  const context = requestContext(c);
  const domains = await findImportDomains(context, userId, rows);
  const result = await createImported(context, parseRows(context, rows, domains), options);
  if (!result.ok) throw linkError(result, c.get('now'));
  return c.json({ lines: result.lines.map(toLine), usage: result.usage } satisfies ImportResponse);
});

importRoutes.post('/links/import/source', async (c) => {
  const { id } = requireMember(c);
  const request = readJson(c, importSourceRequest);
  await rateLimit(c.env.LIMIT_WRITES, `source:${id}`);
  const context = requestContext(c);
  const result = await readSourcePage(request, {
    policy: targetPolicy(context),
    own: ownDomains(c.env, context.origins),
    fetcher: (...given) => fetch(...given),
  });
  if (!result.ok) {
    const { reason, ...values } = result;
    throw apiError(reason, values);
  }
  return c.json(result.page satisfies SourcePage);
});

/** Adds the full stop that a quota message lacks, because elsewhere more text follows it. */
const sentenceOf = (error: LinkRefusal): string => linkMessage(error).replace(/\.?$/, '.');

const toLine = (line: WithRefusal<ImportLine>): ImportLine =>
  'error' in line ? { ...line, error: sentenceOf(line.error) } : line;

const toCheckLine = (line: WithRefusal<ImportCheckLine>): ImportCheckLine =>
  'error' in line ? { ...line, error: sentenceOf(line.error) } : line;
