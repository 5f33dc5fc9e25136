import type { Post } from '#contract/blog/blog.ts';
import { BRAND_COLORS } from '#contract/pages/brand.ts';
import { summaryOf } from '#contract/blog/post-summary.ts';
import { picturePath } from '#contract/blog/post-text.ts';
import type { PageMeta } from '#contract/pages/page-meta.ts';
import { documentTitle } from '#contract/pages/page-titles.ts';
import { SITE_NAME } from '#contract/site.ts';
import { CONFIG_ELEMENT_ID, type SiteConfig } from '#contract/pages/page-templates.ts';
import { scriptJson } from './root-files.ts';
import { SITE_TEXTS } from '#worker/messages/site.ts';
import { escapeHtml } from '#worker/html.ts';

/**
 * The data that the Worker adds to the head of a page. `path` has no query. `picture` is a path.
 * Times are RFC 3339.
 */
export type Head = {
  meta: PageMeta;
  path: string;
  article: Article | null;
};

export type Article = {
  publishedAt: string;
  updatedAt: string;
  picture: string;
  /** '' for none. */
  author: string;
  tags: readonly string[];
};

const DESCRIPTION_MAX = 160;

/**
 * The colors of the browser's own bars: the background of the pages in each scheme. A script of
 * `index.html` follows a scheme that the user has chosen.
 */
const BARS = [
  ['light', BRAND_COLORS.paper],
  ['dark', '#0e0f11'],
] as const;

/** The head of a post's page: the title of the post and the beginning of its text. */
export function postHead(post: Post): Head {
  return {
    meta: { title: post.title, description: summaryOf(post, DESCRIPTION_MAX), index: true },
    path: `/blog/${post.slug}`,
    // The time changes the address after an edit, because social networks cache a picture forever.
    article: {
      publishedAt: post.published_at ?? post.created_at,
      updatedAt: post.updated_at,
      picture: `${picturePath(post.slug)}?v=${Date.parse(post.updated_at)}`,
      author: post.author,
      tags: post.tags,
    },
  };
}

/**
 * The HTML that replaces the marker in index.html: title, description, canonical address, Open
 * Graph and configuration.
 */
export function renderHead({ meta, path, article }: Head, config: SiteConfig): string {
  const title = documentTitle(meta.title);
  const url = config.appOrigin + path;
  const image = config.appOrigin + (article?.picture ?? '/social.png');
  const property = (name: string, content: string): string =>
    `<meta property="${name}" content="${escapeHtml(content)}">`;
  const named = (name: string, content: string): string =>
    `<meta name="${name}" content="${escapeHtml(content)}">`;
  return [
    ...BARS.map(
      ([scheme, color]) =>
        `<meta name="theme-color" data-scheme="${scheme}" media="(prefers-color-scheme:${scheme})" content="${color}">`,
    ),
    `<title>${escapeHtml(title)}</title>`,
    named('description', meta.description),
    // base.css then hides the links to the sign-up.
    ...(config.auth.signUp === 'closed' ? [named('hop-sign-up', 'closed')] : []),
    ...(meta.index
      ? [`<link rel="canonical" href="${escapeHtml(url)}">`]
      : [named('robots', 'noindex')]),
    property('og:site_name', SITE_NAME),
    property('og:type', article === null ? 'website' : 'article'),
    property('og:title', meta.title),
    property('og:description', meta.description),
    property('og:url', url),
    property('og:image', image),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', article === null ? SITE_TEXTS.picture : meta.title),
    ...(article === null
      ? []
      : [
          property('article:published_time', article.publishedAt),
          property('article:modified_time', article.updatedAt),
          ...(article.author === '' ? [] : [named('author', article.author)]),
          ...article.tags.map((tag) => property('article:tag', tag)),
          `<script type="application/ld+json">${scriptJson(articleData(article, meta, url, image))}</script>`,
        ]),
    named('twitter:card', 'summary_large_image'),
    named('twitter:title', meta.title),
    named('twitter:description', meta.description),
    named('twitter:image', image),
    `<link rel="alternate" type="application/rss+xml" title="${escapeHtml(SITE_TEXTS.blog)}" href="/feed.xml">`,
    `<script type="application/json" id="${CONFIG_ELEMENT_ID}">${scriptJson(config)}</script>`,
  ].join('\n    ');
}

/** The article as search engines read it (https://schema.org/BlogPosting). */
function articleData(
  { publishedAt, updatedAt, author, tags }: Article,
  { title, description }: PageMeta,
  url: string,
  image: string,
): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: title,
    description,
    url,
    mainEntityOfPage: url,
    image,
    datePublished: publishedAt,
    dateModified: updatedAt,
    ...(author !== '' && { author: { '@type': 'Person', name: author } }),
    ...(tags.length > 0 && { keywords: tags.join(', ') }),
    publisher: { '@type': 'Organization', name: SITE_NAME },
  };
}
