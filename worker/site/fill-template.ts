import { escapeHtml } from '#worker/html.ts';
import { formatUtcDate } from '#contract/language.ts';
import type { Post } from '#contract/blog.ts';
import {
  type SiteConfig,
  blockEnd,
  blockStart,
  CODE_STAND_IN,
  PAGE_SETTINGS,
  POST_STAND_INS,
  STAND_INS,
  type PostText,
} from '#contract/page-templates.ts';
import { EXCERPT_MAX } from '#contract/limits.ts';
import { excerptOf, readingMinutes } from '#contract/post-text.ts';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”‘’«»]+/g;
const PUNCTUATION = '.,;:!?…';
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Plain text as HTML in which web addresses are links; everything else stays text (SECURITY.md
 * T18). The application's own scanner knows more cases and replaces this result, but it would be a
 * thirtieth of the Worker. The time is linear in the length of any text, because a post is linked
 * at every visit (SECURITY.md T56).
 */
export function linkedHtml(text: string): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].slice(0, endOfAddress(match[0]));
    if (!URL.canParse(address)) continue;
    const href = escapeHtml(address);
    html += `${escapeHtml(text.slice(end, match.index))}<a target="_blank" rel="noopener noreferrer nofollow" href="${href}">${href}</a>`;
    end = match.index + address.length;
  }
  return html + escapeHtml(text.slice(end));
}

/**
 * The length of an address without the punctuation and unmatched closing brackets at its end.
 * Brackets are counted once. A regular expression would start again at every punctuation mark.
 */
function endOfAddress(address: string): number {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  const countOf = (character: string): number => counts.get(character) ?? 0;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = OPENING[last];
    if (opening === undefined ? !PUNCTUATION.includes(last) : countOf(last) <= countOf(opening))
      break;
    counts.set(last, countOf(last) - 1);
  }
  return end;
}

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

export const fillSettings = (template: string, config: SiteConfig): string =>
  dropBlocks(template, config)
    .replaceAll(STAND_INS.appOrigin, () => escapeHtml(config.appOrigin))
    .replaceAll(STAND_INS.shortHost, () => escapeHtml(new URL(config.shortOrigin).host))
    .replaceAll(STAND_INS.supportEmail, () => escapeHtml(config.supportEmail))
    .replaceAll(STAND_INS.operatorName, () => escapeHtml(config.operator.name))
    .replaceAll(STAND_INS.operatorAddress, () => escapeHtml(config.operator.address))
    .replaceAll(STAND_INS.operatorEmail, () => escapeHtml(config.operator.email))
    .replaceAll(STAND_INS.reputationHost, () => escapeHtml(config.services.reputation))
    .replaceAll(STAND_INS.copiesHost, () => escapeHtml(config.services.copies));

export const fillCode = (template: string, code: string): string =>
  template.replaceAll(CODE_STAND_IN, () => escapeHtml(code));

/** Fills one post into its page, which has one paragraph for the text. */
export const fillPost = (template: string, post: Post): string =>
  fill(template, {
    ...textOf(post),
    text: linkedHtml(post.content).replaceAll('\n\n', '</p><p>').replaceAll('\n', '<br>'),
  });

/** Repeats the list item of the page for each post. */
export function fillPosts(template: string, posts: readonly PostText[]): string {
  const [before = '', rest = ''] = template.split(blockStart('post'));
  const [item = '', after = ''] = rest.split(blockEnd('post'));
  return before + posts.map((post) => fill(item, post)).join('') + after;
}

export const listText = (post: Post): PostText => ({
  ...textOf(post),
  text: escapeHtml(excerptOf(post.content, EXCERPT_MAX)),
});

/** Replaces all markers in one pass, so that a post whose text contains one keeps it. */
function fill(template: string, text: PostText): string {
  const { title, slug, time, date: day, minutes } = POST_STAND_INS;
  const values = new Map<string, string>([
    [title, text.title],
    [slug, text.slug],
    [POST_STAND_INS.text, text.text],
    [time, text.time],
    [day, text.date],
    [minutes, text.minutes],
  ]);
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
  };
}
