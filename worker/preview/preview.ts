import { CODE_PATTERN } from '#contract/limits.ts';
import { qrDataUrl } from '#worker/links/qr.ts';
import { unicodeHost } from '#worker/links/punycode.ts';
import { originsOf } from '#worker/origins.ts';
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
import { escapeHtml, pageFrame, pageHeaders } from '#worker/redirect/page-frame.ts';
import { stopPage, wantsJson } from '#worker/redirect/pages.ts';
import { within } from '#worker/redirect/time-limit.ts';

type Found = { link: EdgeLink; createdAt: number | null };

const STORAGE_MS = 3_000;
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * `/{code}+`: where a link leads, without going there (decision 16). It never counts a click and never redirects.
 * Reads D1, which knows the date; KV's copy serves while D1 is away.
 */
export async function preview(request: Request, env: Env, code: string, now: number): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return stopPage(request, env, { why: 'method' });
  if (!CODE_PATTERN.test(code)) return stopPage(request, env, { why: 'unknown' });
  if (isLimited(request, now)) return stopPage(request, env, { why: 'limited' });
  const found = await find(env, code);
  if (found === 'down') return stopPage(request, env, { why: 'down' });
  if (found === null) return stopPage(request, env, { why: (await countMiss(request, env, now)) ? 'limited' : 'unknown' });
  if (!leads(found.link, now)) return stopPage(request, env, { why: 'gone', code, link: found.link });
  return answer(request, originsOf(env, request.url), code, found);
}

async function find(env: Pick<Env, 'DB' | 'LINKS'>, code: string): Promise<Found | null | 'down'> {
  try {
    const row = await within(
      STORAGE_MS,
      env.DB.prepare(`SELECT ${COPY_COLUMNS}, created_at FROM links WHERE host = '' AND code = ?1`)
        .bind(code)
        .first<LinkCopyRow & { created_at: number }>(),
    );
    return row === null ? null : { link: toEdgeLink(row), createdAt: row.created_at };
  } catch {
    const copy = await within(STORAGE_MS, env.LINKS.get(edgeKey(env.LINKS_EPOCH, '', code))).catch(() => null);
    const link = copy === null ? null : decodeEdgeLink(copy);
    return link === null ? 'down' : { link, createdAt: null };
  }
}

function answer(request: Request, origins: { app: string; short: string }, code: string, { link, createdAt }: Found): Response {
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
