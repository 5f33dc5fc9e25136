import { isLinkKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { KV_CACHE_SECONDS } from '#contract/limits.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import {
  PREVIEW_CACHE_SECONDS,
  publicReader,
  readPublic,
  type Reader,
} from '#worker/http/edge-cache.ts';
import { originsOfLink, type Origins } from '#worker/http/origins.ts';
import {
  EDGE_RECORD_COLUMNS,
  decodeEdgeRecord,
  edgeKey,
  guardOf,
  isLive,
  laterStart,
  toEdgeRecord,
  type EdgeRecord,
  type EdgeRecordRow,
} from '#worker/redirect/edge-record.ts';
import { isOverMissLimit } from '#worker/redirect/miss-limit.ts';
import { errorPage } from '#worker/redirect/error-page.ts';
import { respondUnknown } from '#worker/redirect/respond-unknown.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { renderPreview, type Found } from './render-preview.ts';

const STORAGE_TIMEOUT_MS = 3_000;

/**
 * `/{code}+`: a page that shows a link's target without opening it (docs/decisions.md#d16). It
 * never counts a click and never redirects. `now` in ms since 1970.
 */
export async function preview(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  key: LinkKey,
  now: number,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return errorPage(request, env, { why: 'method' });
  if (!isLinkKey(key)) return errorPage(request, env, { why: 'unknown' });
  try {
    const origins = originsOfLink(env, request.url, key);
    const reader = publicReader(request, env, ctx, now);
    const found = await findLink(reader, origins, key);
    if (found === 'down' || found === 'limited') return errorPage(request, env, { why: found });
    if (found === null) return respondUnknown(request, env, key, now, reader.wait);
    const { link } = found;
    const startsAt = laterStart(link, now);
    if (startsAt !== null) return errorPage(request, env, { why: 'not_yet', startsAt });
    const guard = guardOf(link, now);
    if (guard !== null) return errorPage(request, env, { why: guard });
    const fallback = link.s === 'a' ? link.g?.o : undefined;
    if (isLive(link, now)) return renderPreview(request, { env, origins, key, ...found, now });
    if (fallback === undefined) return errorPage(request, env, { why: 'gone', key, record: link });
    // Everyone is sent to the fallback now, whatever the rules say.
    const { g: _, ...ended } = link;
    const shown = { ...found, link: { ...ended, u: fallback } };
    return renderPreview(request, { env, origins, key, ...shown, now });
  } catch (error) {
    logEvent('preview_failed', errorFacts(error));
    return errorPage(request, env, { why: 'down' });
  }
}

/**
 * Reads the link's row in D1. Reads its record in KV if D1 fails, if this network is over its limit
 * of reads, or if D1 has no row: a restored database may have lost a link that still redirects, and
 * people must be able to see its target (SECURITY.md A11). If KV has no record either, returns null
 * for an unknown code, or the reason why D1 was not read.
 */
async function findLink(
  reader: Reader,
  origins: Origins,
  key: LinkKey,
): Promise<Found | null | 'down' | 'limited'> {
  let missing: null | 'down' | 'limited' = isOverMissLimit(reader.request, reader.now)
    ? 'limited'
    : null;
  try {
    const read = await readPublic(
      reader,
      previewKey(origins, key),
      PREVIEW_CACHE_SECONDS,
      async () => (missing === null ? readRow(reader.env.DB, key) : null),
    );
    if (!read.ok) missing = read.reason;
    else if (read.value !== null) return read.value;
  } catch {
    missing = 'down';
  }
  const link = await readRecord(reader.env, key);
  return link === null ? missing : { link, createdAt: null, changedAt: null };
}

async function readRow(db: D1Database, key: LinkKey): Promise<Found | null> {
  const query = db
    .prepare(
      `SELECT ${EDGE_RECORD_COLUMNS}, coalesce(imported_at, created_at) AS created_at, target_changed_at AS changed_at
      FROM links WHERE id = (
        SELECT coalesce(earlier_code_of, id) FROM links WHERE code = ?1 AND released_at IS NULL)`,
    )
    .bind(key);
  const row = await withTimeout(
    STORAGE_TIMEOUT_MS,
    query.first<EdgeRecordRow & { created_at: number; changed_at: number | null }>(),
  );
  return row === null
    ? null
    : { link: toEdgeRecord(row), createdAt: row.created_at, changedAt: row.changed_at };
}

async function readRecord(env: Env, key: LinkKey): Promise<EdgeRecord | null> {
  try {
    const options = { cacheTtl: KV_CACHE_SECONDS };
    const text = await withTimeout(
      STORAGE_TIMEOUT_MS,
      env.LINKS.get(edgeKey(env.LINKS_EPOCH, key), options),
    );
    return text === null ? null : decodeEdgeRecord(text);
  } catch {
    return null;
  }
}
