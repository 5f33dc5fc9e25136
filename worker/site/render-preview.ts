import { MARK } from '#contract/pages/brand.ts';
import { arcElements } from '#contract/pages/arc-svg.ts';
import { describeConditions } from '#contract/links/describe-rule.ts';
import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { escapeHtml } from '#worker/html.ts';
import type { Origins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { qrSvg } from '#worker/links/qr.ts';
import { PREVIEW } from '#worker/messages/site.ts';
import type { EdgeRecord } from '#worker/redirect/edge-record.ts';
import { wantsJson } from '#worker/redirect/error-page.ts';
import { renderHtmlPage, pageHeaders } from '#worker/redirect/html-page.ts';
import { displayHost } from '#worker/safety/lookalike.ts';

/**
 * A link as the preview shows it and the edge cache stores it. `createdAt` is in ms since 1970,
 * null if the link was read from KV, which does not store it. `changedAt` is when the owner last
 * changed the target, or null.
 */
export type Found = { link: EdgeRecord; createdAt: number | null; changedAt: number | null };

/** `now` in ms since 1970. */
type Preview = Found & {
  env: Env;
  origins: Origins;
  key: LinkKey;
  now: number;
};

/** The preview of a live link as a page, or as JSON if the client prefers it. */
export function renderPreview(request: Request, preview: Preview): Response {
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  if (wantsJson(request)) {
    headers.set('Content-Type', 'application/json; charset=utf-8');
    return new Response(JSON.stringify(toJson(preview)), { headers });
  }
  const { env, origins, key } = preview;
  const title = PREVIEW.title(splitKey(key).code);
  const main = renderMain(preview);
  return new Response(
    renderHtmlPage(env, { title, nonce, appOrigin: origins.app, style: PREVIEW_STYLE, main }),
    { headers },
  );
}

function toJson({ origins, key, link, createdAt, changedAt }: Preview): object {
  const { hostname } = new URL(link.u);
  return {
    code: splitKey(key).code,
    shortUrl: shortUrlOf(origins, key),
    longUrl: link.u,
    host: hostname,
    unicodeHost: displayHost(hostname),
    rules: link.g?.t ?? [],
    variants: (link.w ?? []).slice(1).map(({ u, p }) => ({ url: u, weight: p })),
    fallbackUrl: link.g?.o ?? null,
    created_at: createdAt === null ? null : new Date(createdAt).toISOString(),
    destination_changed_at: changedAt === null ? null : new Date(changedAt).toISOString(),
  };
}

/**
 * Addresses read from left to right in every script, so that the registered domain is where people
 * look for it.
 */
const ltr = (escaped: string): string => `<bdi dir="ltr">${escaped}</bdi>`;

function renderMain(preview: Preview): string {
  const { env, origins, key, link } = preview;
  const shortUrl = shortUrlOf(origins, key);
  const shown = shortUrl.replace(/^https?:\/\//, '');
  // The key of a link on a domain means nothing to a reader.
  const reported = splitKey(key).domain === DEFAULT_DOMAIN ? key : shown;
  const { hostname } = new URL(link.u);
  const host = ltr(escapeHtml(displayHost(hostname)));
  const facts = factsOf(preview).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`);
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
  return `<div class="hop">${ARC}<p class="status"><span class="mono">${ltr(escapeHtml(shown))}</span> ${PREVIEW.goesTo}</p>
<h1 class="host">${host}</h1></div>
${renderPunycode(hostname)}<p class="mono url">${ltr(breakable(link.u))}</p>
${link.g?.t === undefined ? '' : `<p>${PREVIEW.someGoElsewhere}</p>\n`}${link.w === undefined ? '' : `<p>${PREVIEW.dividesVisitors}</p>\n`}<p class="actions"><a class="button" href="${escapeHtml(link.u)}" rel="noreferrer nofollow ugc"><span>${PREVIEW.continue} ${host}</span></a>
<a href="${escapeHtml(origins.app)}/report?code=${encodeURIComponent(reported)}">${PREVIEW.report}</a></p>
<div class="card"><dl>${facts.join('')}</dl>
<img class="qr" src="${toDataUrl(qrSvg(shortUrl))}" width="136" height="136" alt="${escapeHtml(PREVIEW.qrCode(shortUrl))}"></div>
<h2>${PREVIEW.checksTitle}</h2>
${list(PREVIEW.checks(env.REPUTATION_DOH_URL !== '', rulesOf(link).length === 0))}
<h2>${PREVIEW.storedTitle}</h2>
${list(PREVIEW.stored)}
<p class="small"><a href="${escapeHtml(origins.app)}/privacy">${PREVIEW.privacy}</a></p>`;
}

/** Shows a Unicode host in Punycode as well, so that look-alikes stand out. */
function renderPunycode(hostname: string): string {
  return displayHost(hostname) === hostname
    ? ''
    : `<p>${PREVIEW.punycode} <span class="mono">${escapeHtml(hostname)}</span></p>\n`;
}

/** The host, in Punycode as well where it differs, and the whole address. */
function renderDestination(href: string): string {
  const { hostname } = new URL(href);
  return `<b>${ltr(escapeHtml(displayHost(hostname)))}</b>
${renderPunycode(hostname)}<span class="mono">${ltr(breakable(href))}</span>`;
}

/** Where else the link leads, in the order in which it decides. */
function rulesOf({ u, g, w = [] }: EdgeRecord): [string, string][] {
  const list = (g?.t ?? []).map(({ if: conditions, to }, at): [string, string] => [
    PREVIEW.rule(at + 1),
    `${escapeHtml(describeConditions(conditions))}<br>${renderDestination(to)}`,
  ]);
  for (const share of w) list.push([PREVIEW.variant(share.p), renderDestination(share.u)]);
  const fallback = g?.o;
  if (fallback !== undefined && fallback !== u)
    list.push([PREVIEW.fallback, renderDestination(fallback)]);
  return list;
}

/** The facts that are known, as names and escaped values. */
function factsOf({ link, createdAt, changedAt, now }: Preview): [string, string][] {
  const list = rulesOf(link);
  const dateAndAge = (at: number): string => `${PREVIEW.date(at)}, ${PREVIEW.age(at, now)}`;
  if (createdAt !== null) {
    list.push([PREVIEW.created, dateAndAge(createdAt)]);
    list.push([PREVIEW.changed, changedAt === null ? PREVIEW.never : dateAndAge(changedAt)]);
  }
  if (link.e !== 0) list.push([PREVIEW.expires, PREVIEW.time(link.e)]);
  if (link.f !== undefined) {
    const names = escapeHtml(link.f.replaceAll(',', ', '));
    list.push([PREVIEW.forwarded, link.f === '*' ? PREVIEW.allForwarded : names]);
  }
  return list;
}

/** A quarter shorter than in Base64. */
const toDataUrl = (svg: string): string =>
  `data:image/svg+xml,${svg.replaceAll('"', "'").replaceAll(/[<>#]/g, encodeURIComponent)}`;

/** Shorter parts of an address stay together, so that a long one fits into a small page. */
const PART_MIN = 12;
/** The most characters that fit beside each other on a phone. */
const PART_MAX = 32;

/**
 * Lets an address break after the slashes of its path and before the parts of its query. A break
 * within a host could make half of it look like another host, so only parts that are longer than a
 * line may break inside.
 */
function breakable(href: string): string {
  const parts: string[] = [];
  let part = '';
  for (const piece of href.split(/(?<=[^:/]\/)|(?=[?&#])/)) {
    if (part.length >= PART_MIN) {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  return [...parts, part]
    .flatMap((long) => long.match(new RegExp(`.{1,${PART_MAX}}`, 'g')) ?? [])
    .map(escapeHtml)
    .join('<wbr>');
}

/** The arc of the mark, turned so that it joins the code to the host below it. */
const ARC = `<svg class="arc" viewBox="4 0 17 24" aria-hidden="true"><g transform="matrix(0 1 1 0 0 0)">${arcElements(MARK, 'currentColor', 'var(--landing)')}</g></svg>`;

/** The rows of `.hop` are as high as the ends of the arc are apart. */
const PREVIEW_STYLE = `
.url{white-space:nowrap}.url wbr{white-space:normal}
.hop{display:grid;grid-template-columns:51px minmax(0,1fr);gap:0 12px;margin-block:8px 16px}
.hop .arc{grid-row:1/3;width:51px;height:72px}.hop .status{margin:0;line-height:27px}.hop h1{margin:16px 0 0}
.card{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start;justify-content:space-between;margin-top:24px;padding:20px}
dl{flex:1 1 260px;min-width:0;margin:0}
dt{font-size:13px;color:var(--ink-3)}dd{margin:0 0 12px;font-size:14px;overflow-wrap:anywhere}dd:last-child{margin:0}dd b{display:block;font-weight:500}dd p{margin:0;font-size:13px}
.qr{width:136px;height:136px;border-radius:8px;border:1px solid var(--line);display:block}
ul{margin:0;padding:0;padding-inline-start:20px;font-size:14px;color:var(--ink-2)}.small{margin:8px 0 0;font-size:14px}
@media(min-width:640px){.hop h1{margin-top:12px}}
`;
