import { escapeHtml } from '#worker/html.ts';
import { formatUtcDate } from '#contract/language.ts';
import type { Post } from '#contract/blog/blog.ts';
import {
  type SiteConfig,
  type BlockName,
  blockEnd,
  blockStart,
  CODE_STAND_IN,
  PAGE_SETTINGS,
  POST_STAND_INS,
  STAND_INS,
  type PostText,
} from '#contract/pages/page-templates.ts';
import { readingMinutes, summaryOf } from '#contract/blog/post-summary.ts';
import { postHtml } from './post-html.ts';

type Marker = keyof typeof POST_STAND_INS;
const MARKERS = ['title', 'slug', 'text', 'time', 'date', 'minutes', 'author', 'tag'] as const;
const POST_MARKER = new RegExp(Object.values(POST_STAND_INS).join('|'), 'g');

/**
 * Drops the blocks that do not apply to this deployment. The comments around the others stay,
 * because otherwise the browser would join text nodes that the application expects to be separate.
 */
function dropBlocks(template: string, config: SiteConfig): string {
  const dropped = Object.entries(PAGE_SETTINGS).map(([setting, isOn]) =>
    isOn(config) ? `not-${setting}` : setting,
  );
  const blocks = new RegExp(`<!--hop:(${dropped.join('|')})-->.*?<!--/hop:\\1-->`, 'gs');
  return template.replaceAll(blocks, '');
}

export function fillSettings(template: string, config: SiteConfig): string {
  const { appOrigin, shortOrigin, prices, supportEmail, operator, services } = config;
  const [{ free, month, year }] = prices;
  const texts = [
    [STAND_INS.appOrigin, appOrigin],
    // Before the host alone: an installation may have short links on http.
    [`https://${STAND_INS.shortHost}`, shortOrigin],
    [STAND_INS.shortHost, new URL(shortOrigin).host],
    [STAND_INS.priceFree, free],
    [STAND_INS.priceMonth, month],
    [STAND_INS.priceYear, year ?? ''],
    [STAND_INS.supportEmail, supportEmail],
    [STAND_INS.operatorName, operator.name],
    [STAND_INS.operatorAddress, operator.address],
    [STAND_INS.operatorEmail, operator.email],
    [STAND_INS.reputationHost, services.reputation],
    [STAND_INS.copiesHost, services.copies],
  ] as const;
  return texts.reduce(
    (page, [standIn, text]) => page.replaceAll(standIn, () => escapeHtml(text)),
    dropBlocks(template, config),
  );
}

export const fillCode = (template: string, code: string): string =>
  template.replaceAll(CODE_STAND_IN, () => escapeHtml(code));

/** Fills one post into its page, which has one paragraph for the text. */
export const fillPost = (template: string, post: Post): string =>
  fill(template.replace(`<p>${POST_STAND_INS.text}</p>`, POST_STAND_INS.text), {
    ...textOf(post),
    text: postHtml(post.content),
  });

/** Repeats the list item of the page for each post. `tag` is the tag that all of them have. */
export function fillPosts(
  template: string,
  posts: readonly PostText[],
  tag: string | null,
): string {
  const [before, item, after] = cut(template, 'post');
  const [top, filter, bottom] = cut(before, 'posts-tag');
  const shownFilter = tag === null ? '' : fillTag(filter, tag);
  return top + shownFilter + bottom + posts.map((post) => fill(item, post)).join('') + after;
}

export const listText = (post: Post): PostText => ({
  ...textOf(post),
  text: escapeHtml(summaryOf(post)),
});

/** The template before a block, inside and after it; all of it is before a block it lacks. */
function cut(template: string, name: BlockName): [before: string, inside: string, after: string] {
  const [before = '', rest = ''] = template.split(blockStart(name));
  const [inside = '', after = ''] = rest.split(blockEnd(name));
  return [before, inside, after];
}

/** Fills a post into a template in which the author stands before the tags. */
function fill(template: string, { tags, ...text }: PostText): string {
  const [before, author, rest] = cut(template, 'post-author');
  const [between, tag, after] = cut(rest, 'post-tag');
  return [
    fillMarkers(before, text),
    text.author === '' ? '' : fillMarkers(author, text),
    fillMarkers(between, text),
    ...tags.map((name) => fillTag(tag, name)),
    fillMarkers(after, text),
  ].join('');
}

function fillTag(template: string, tag: string): string {
  const query = `?tag=${encodeURIComponent(tag)}`;
  const linked = template.replaceAll(`?tag=${POST_STAND_INS.tag}`, () => query);
  return fillMarkers(linked, { tag: escapeHtml(tag) });
}

/** Replaces all markers in one pass, so that a post whose text contains one keeps it. */
function fillMarkers(template: string, texts: Partial<Record<Marker, string>>): string {
  const values = new Map(MARKERS.map((name) => [POST_STAND_INS[name] as string, texts[name]]));
  return template.replaceAll(POST_MARKER, (marker) => values.get(marker) ?? marker);
}

function textOf(post: Post): Omit<PostText, 'text'> {
  const time = post.published_at ?? post.created_at;
  return {
    title: escapeHtml(post.title),
    slug: escapeHtml(post.slug),
    time: escapeHtml(time),
    date: formatUtcDate(time),
    minutes: String(readingMinutes(post.content)),
    author: escapeHtml(post.author),
    tags: post.tags,
  };
}
