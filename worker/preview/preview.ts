import { CODE_PATTERN, KV_CACHE_SECONDS } from '#contract/limits.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import { PREVIEW_CACHE_SECONDS } from '#worker/http/edge-cache.ts';
import { readPublic } from '#worker/http/public-read.ts';
import { qrDataUrl } from '#worker/links/qr.ts';
import { unicodeHost } from '#worker/links/punycode.ts';
import { originsOf, type Origins } from '#worker/http/origins.ts';
import {
  COPY_COLUMNS,
  decodeEdgeLink,
  edgeKey,
  leads,
  toEdgeLink,
  type EdgeLink,
  type LinkCopyRow,
} from '#worker/redirect/edge-link.ts';
import { countMiss, isLimited } from '#worker/redirect/misses.ts';
import { pageFrame, pageHeaders } from '#worker/redirect/page-frame.ts';
import { escapeHtml } from '#worker/html.ts';
import { stopPage, wantsJson } from '#worker/redirect/pages.ts';
import { within } from '#worker/redirect/time-limit.ts';

type Found = { link: EdgeLink; createdAt: number | null };

const STORAGE_MS = 3_000;
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * `/{code}+`: where a link leads, without going there (decision 16). It never counts a click and never redirects.
 * Reads D1, which knows the date.
 */
export async function preview(request: Request, env: Env, ctx: ExecutionContext, code: string, now: number): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return stopPage(request, env, { why: 'method' });
  if (!CODE_PATTERN.test(code)) return stopPage(request, env, { why: 'unknown' });
  try {
    const origins = originsOf(env, request.url);
    const found = await find(request, env, ctx, origins, code, now);
    if (found === 'down' || found === 'limited') return stopPage(request, env, { why: found });
    if (found === null) return stopPage(request, env, { why: (await countMiss(request, env, now)) ? 'limited' : 'unknown' });
    if (!leads(found.link, now)) return stopPage(request, env, { why: 'gone', code, link: found.link });
    return answer(request, origins, code, found);
  } catch (error) {
    logEvent('preview_failed', errorFacts(error instanceof Error ? error : new Error(String(error))));
    return stopPage(request, env, { why: 'down' });
  }
}

/**
 * D1's row. KV's record is shown without a date where D1 is away, where this network has used up its reads of it, and
 * where D1 has no row: such a link redirects (a restored database has lost it), so people must be able to see where to.
 */
async function find(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  origins: Origins,
  code: string,
  now: number,
): Promise<Found | null | 'down' | 'limited'> {
  const reader = { request, env, now, wait: (work: Promise<unknown>) => ctx.waitUntil(work) };
  let missing: null | 'down' | 'limited' = isLimited(request, now) ? 'limited' : null;
  try {
    const read = await readPublic(reader, previewKey(origins, code), PREVIEW_CACHE_SECONDS, async () =>
      missing === null ? readRow(env.DB, code) : null,
    );
    if (!read.ok) missing = read.reason;
    else if (read.value !== null) return read.value;
  } catch {
    missing = 'down';
  }
  const link = await readRecord(env, code);
  return link === null ? missing : { link, createdAt: null };
}

async function readRow(db: D1Database, code: string): Promise<Found | null> {
  const query = db.prepare(`SELECT ${COPY_COLUMNS}, created_at FROM links WHERE host = '' AND code = ?1`).bind(code);
  const row = await within(STORAGE_MS, query.first<LinkCopyRow & { created_at: number }>());
  return row === null ? null : { link: toEdgeLink(row), createdAt: row.created_at };
}

async function readRecord(env: Env, code: string): Promise<EdgeLink | null> {
  try {
    const options = { cacheTtl: KV_CACHE_SECONDS };
    const text = await within(STORAGE_MS, env.LINKS.get(edgeKey(env.LINKS_EPOCH, '', code), options));
    return text === null ? null : decodeEdgeLink(text);
  } catch {
    return null;
  }
}

function answer(request: Request, origins: Origins, code: string, { link, createdAt }: Found): Response {
  const shortUrl = `${origins.short}/${code}`;
  const { hostname } = new URL(link.u);
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  if (wantsJson(request)) {
    headers.set('Content-Type', 'application/json; charset=utf-8');
    const created = createdAt === null ? null : new Date(createdAt).toISOString();
    return new Response(
      JSON.stringify({
        code,
        shortUrl,
        longUrl: link.u,
        host: hostname,
        unicodeHost: unicodeHost(hostname),
        created_at: created,
      }),
      { headers },
    );
  }
  const main = `<p class="status">${escapeHtml(shortUrl)}</p>
<h1>Where this link leads</h1>
<section class="card"><p class="mono">${escapeHtml(link.u)}</p>
<div class="row"><dl>${facts(hostname, createdAt, link.e)
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join('')}</dl>
<img class="qr" src="${qrDataUrl(shortUrl)}" width="136" height="136" alt="QR code of ${escapeHtml(shortUrl)}"></div></section>
<p class="actions"><a class="button" href="${escapeHtml(link.u)}" rel="noreferrer nofollow ugc">Continue</a>
<a href="${escapeHtml(origins.app)}/report?code=${encodeURIComponent(code)}">Report this link</a></p>`;
  return new Response(pageFrame({ title: `Preview of ${code}`, nonce, app: origins.app, main }), { headers });
}

/** Names and values as HTML. A host outside of plain letters is shown in both spellings: look-alikes differ in one of them. */
function facts(hostname: string, createdAt: number | null, expiresAt: number): [string, string][] {
  const unicode = unicodeHost(hostname);
  const list: [string, string][] = [['Host', `<strong>${escapeHtml(unicode)}</strong>`]];
  if (unicode !== hostname) list.push(['Written as', `<span class="mono">${escapeHtml(hostname)}</span>`]);
  if (createdAt !== null) list.push(['Created', DATE.format(createdAt)]);
  if (expiresAt !== 0) list.push(['Works until', `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`]);
  return list;
}
