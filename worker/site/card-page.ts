import { cardPicturePath } from '#contract/links/link-card.ts';
import { LANGUAGE } from '#contract/language.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '#contract/limits.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { escapeHtml } from '#worker/html.ts';
import { cardKey } from '#worker/http/cache-keys.ts';
import { CARD_CACHE_SECONDS, publicReader, readPublic } from '#worker/http/edge-cache.ts';
import { originsOfLink, type Origins } from '#worker/http/origins.ts';
import { shortUrlOf } from '#worker/http/short-url.ts';
import { CARD } from '#worker/messages/site.ts';
import { guardOf, type EdgeRecord } from '#worker/redirect/edge-record.ts';
import type { Visit } from '#worker/redirect/redirect.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import { respondWith } from './plain-response.ts';

const STORAGE_TIMEOUT_MS = 3_000;

/** `image` is the name of the picture; '' for none. */
type Card = { title: string; description: string; image: string };

/** The texts of a card, and where the link on the page leads. */
type Page = Card & { host: string; href: string; before: string };

/**
 * The card of a live link for a program that shows cards in a chat or a social network
 * (docs/decisions.md#d69). That of a link with a password or a click limit says only this, and reads
 * nothing. Null if there is none, or if this network is over its limit of reads: the program is
 * redirected then, as for a link without a card.
 */
export async function respondWithCard(
  visit: Visit,
  key: LinkKey,
  record: EdgeRecord,
): Promise<Response | null> {
  const { request, env, now } = visit;
  const origins = originsOfLink(env, request.url, key);
  const shortUrl = shortUrlOf(origins, key);
  const page = neutralPage(record, shortUrl, now) ?? (await readPage(visit, origins, record));
  if (page === null) return null;
  return respondWith(request, renderPage(page, origins, shortUrl), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'User-Agent',
    'X-Robots-Tag': 'noindex',
  });
}

/** Null for a link whose destination everyone may see. */
function neutralPage(record: EdgeRecord, shortUrl: string, now: number): Page | null {
  const guard = guardOf(record, now);
  if (guard === null) return null;
  const { host } = new URL(shortUrl);
  return { ...CARD[guard], image: '', host, href: shortUrl, before: CARD.open };
}

async function readPage(
  { request, env, ctx, now }: Visit,
  origins: Origins,
  record: EdgeRecord,
): Promise<Page | null> {
  const reader = publicReader(request, env, ctx, now);
  const read = await readPublic(
    reader,
    cardKey(origins, record.i, record.v),
    CARD_CACHE_SECONDS,
    () => readCard(env.DB, record.i),
  );
  if (!read.ok || read.value === null) return null;
  const host = displayHost(new URL(record.u).hostname);
  return { ...read.value, host, href: record.u, before: CARD.goesTo };
}

const readCard = (db: D1Database, linkId: number): Promise<Card | null> =>
  withTimeout(
    STORAGE_TIMEOUT_MS,
    db
      .prepare('SELECT title, description, image FROM link_cards WHERE link_id = ?1')
      .bind(linkId)
      .first<Card>(),
  );

/** Open Graph (https://ogp.me) and the tags of X, which have no equivalent for the kind of card. */
function renderPage(
  { title, description, image, host, href, before }: Page,
  origins: Origins,
  shortUrl: string,
): string {
  const properties = {
    'og:type': 'website',
    'og:title': title,
    'og:description': CARD.description(host, description),
    'og:url': shortUrl,
    'og:site_name': host,
    ...(image !== '' && {
      'og:image': origins.app + cardPicturePath(image),
      'og:image:width': String(CARD_WIDTH),
      'og:image:height': String(CARD_HEIGHT),
      'og:image:alt': title,
    }),
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`,
  );
  return `<!doctype html>
<html lang="${LANGUAGE}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="robots" content="noindex">
<meta name="description" content="${escapeHtml(properties['og:description'])}">
${tags.join('\n')}
<meta name="twitter:card" content="${image === '' ? 'summary' : 'summary_large_image'}">
</head><body><h1>${escapeHtml(title)}</h1>
${description === '' ? '' : `<p>${escapeHtml(description)}</p>\n`}<p>${before} <a href="${escapeHtml(href)}" rel="noreferrer nofollow ugc">${escapeHtml(host)}</a></p>
</body></html>
`;
}
