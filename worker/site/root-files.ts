import { BRAND_COLORS } from '#contract/pages/brand.ts';
import { LANGUAGE } from '#contract/language.ts';
import { escapeHtml } from '#worker/html.ts';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import { PAGES } from '#contract/pages/paths.ts';
import { summaryOf } from '#contract/blog/post-summary.ts';
import { MEMBER_LINKS, SITE_NAME } from '#contract/site.ts';
import type { Origins } from '#worker/http/origins.ts';
import { SITE_TEXTS } from '#worker/messages/site.ts';
import { publishedAt, type PublishedPost } from '#worker/blog/published-posts.ts';
import { DAY_MS } from '#contract/time.ts';
import { postHtml } from './post-html.ts';

/**
 * `escapeHtml` for XML 1.0. Removes control characters, unpaired surrogates, U+FFFE and U+FFFF,
 * which XML cannot contain.
 */
const escapeXml = (text: string): string =>
  escapeHtml(text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));

/**
 * JSON that is safe inside `<script type="application/json">`. Without '<' it cannot contain an end
 * tag or a comment.
 */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** The sitemap: every page that may be indexed, and the posts. `updated_at` is in ms. */
export function sitemapXml(
  origins: Origins,
  posts: readonly { slug: string; updated_at: number }[],
): string {
  const pages = PAGES.filter((page) => PAGE_META[page].index && !page.includes(':'));
  const urls = [
    ...pages.map((page) => `  <url><loc>${escapeXml(origins.app + page)}</loc></url>`),
    ...posts.map(
      ({ slug, updated_at }) =>
        `  <url><loc>${escapeXml(`${origins.app}/blog/${slug}`)}</loc><lastmod>${new Date(updated_at).toISOString()}</lastmod></url>`,
    ),
  ];
  return [
    XML,
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** The RSS 2.0 feed of `posts`, with their full text. */
export function feedXml(origins: Origins, posts: readonly PublishedPost[]): string {
  const newest = Math.max(0, ...posts.map((post) => post.updated_at));
  return [
    XML,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    `  <title>${escapeXml(SITE_TEXTS.blog)}</title>`,
    `  <link>${escapeXml(`${origins.app}/blogs`)}</link>`,
    `  <description>${escapeXml(PAGE_META['/blogs'].description)}</description>`,
    `  <language>${LANGUAGE}</language>`,
    `  <atom:link href="${escapeXml(`${origins.app}/feed.xml`)}" rel="self" type="application/rss+xml"/>`,
    ...(newest === 0 ? [] : [`  <lastBuildDate>${new Date(newest).toUTCString()}</lastBuildDate>`]),
    ...posts.map((post) => feedItem(origins, post)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function feedItem(origins: Origins, post: PublishedPost): string {
  const url = escapeXml(`${origins.app}/blog/${post.slug}`);
  return [
    '  <item>',
    `    <title>${escapeXml(post.title)}</title>`,
    `    <link>${url}</link>`,
    `    <guid isPermaLink="true">${url}</guid>`,
    `    <pubDate>${new Date(publishedAt(post)).toUTCString()}</pubDate>`,
    ...(post.author === '' ? [] : [`    <dc:creator>${escapeXml(post.author)}</dc:creator>`]),
    ...post.tags.map((tag) => `    <category>${escapeXml(tag)}</category>`),
    `    <description>${escapeXml(summaryOf(post))}</description>`,
    `    <content:encoded>${escapeXml(postHtml(post.content))}</content:encoded>`,
    '  </item>',
  ].join('\n');
}

/**
 * The web app manifest, used when the site is installed or added to a home screen. The application
 * is identified by `id`, so that `start_url` may change.
 */
export function manifestJson(): string {
  const icon = { src: '/icon-192.png', sizes: '192x192', type: 'image/png' };
  const large = { sizes: '512x512', type: 'image/png' };
  return JSON.stringify({
    id: '/',
    name: SITE_NAME,
    short_name: SITE_NAME,
    description: PAGE_META['/'].description,
    lang: LANGUAGE,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    categories: ['productivity', 'utilities'],
    shortcuts: [
      { name: SITE_TEXTS.newLink, url: '/', icons: [icon] },
      // My URLs and Analytics, as the header calls them.
      ...MEMBER_LINKS.slice(0, 2).map(({ to, label }) => ({ name: label, url: to, icons: [icon] })),
    ],
    // Home puts shared text into its form (web/features/shorten/given-link.ts). A GET creates
    // nothing.
    share_target: {
      action: '/',
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
    background_color: BRAND_COLORS.paper,
    theme_color: BRAND_COLORS.paper,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      icon,
      { src: '/icon-512.png', ...large },
      { src: '/icon-maskable-512.png', ...large, purpose: 'maskable' },
    ],
  });
}

/** How far in the future security.txt expires. RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/**
 * Private pages are not listed, because a crawler must be able to read their noindex. Crawlers may
 * read the part of the API that renders a post, and the pictures of preview cards.
 */
export function robotsTxt(origins: Origins): string {
  return [
    'User-agent: *',
    'Allow: /api/blog',
    'Allow: /api/card-pictures/',
    'Disallow: /api/',
    '',
    `Sitemap: ${origins.app}/sitemap.xml`,
    '',
  ].join('\n');
}

/** robots.txt of a separate short host. Short links have noindex, so nothing is disallowed. */
export const SHORT_ROBOTS_TXT = 'User-agent: *\nDisallow:\n';

/** security.txt (RFC 9116), written for every request. `Expires` is a whole number of days. */
export function securityTxt(origins: Origins, abuseEmail: string, now: number): string {
  const expires = new Date(Math.floor(now / DAY_MS + SECURITY_TXT_DAYS) * DAY_MS).toISOString();
  return [
    ...(abuseEmail === '' ? [] : [`Contact: mailto:${abuseEmail}`]),
    `Contact: ${origins.app}/report`,
    `Expires: ${expires}`,
    `Preferred-Languages: ${LANGUAGE}`,
    `Canonical: ${origins.app}/.well-known/security.txt`,
    '',
  ].join('\n');
}
