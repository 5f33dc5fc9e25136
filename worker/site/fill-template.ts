import { formatUtcDate } from '#contract/language.ts';
import type { Post } from '#contract/blog.ts';
import type { SiteConfig } from '#contract/config.ts';
import { EXCERPT_MAX } from '#contract/limits.ts';
import {
  blockEnd,
  blockStart,
  CODE_STAND_IN,
  PAGE_SETTINGS,
  POST_STAND_INS,
  STAND_INS,
  type PostText,
} from '#contract/page-templates.ts';
import { excerptOf, readingMinutes } from '#contract/post-text.ts';
import { escapeHtml } from '#worker/html.ts';
import { linkedHtml } from './linked-html.ts';

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
    .replaceAll(STAND_INS.supportEmail, () => escapeHtml(config.supportEmail));

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
