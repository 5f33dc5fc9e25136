import { tagOf, type Post } from '#contract/blog/blog.ts';
import { POST_TAG_MAX } from '#contract/limits.ts';
import { PAGE_META } from '#contract/pages/page-meta.ts';
import type { PostText } from '#contract/pages/page-templates.ts';
import type { PagePath } from '#contract/pages/paths.ts';
import { isSlug } from '#contract/blog/post-text.ts';
import { listPublishedPosts, readPublishedPost, toPost } from '#worker/blog/published-posts.ts';
import { openDb } from '#worker/db/client.ts';
import { postPageKey, postsPageKey } from '#worker/http/cache-keys.ts';
import {
  CACHE_SECONDS,
  readPublic,
  type PublicRead,
  type Reader,
} from '#worker/http/edge-cache.ts';
import type { Origins } from '#worker/http/origins.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { fillCode, fillPost, fillPosts, listText } from './fill-template.ts';
import { postHead, type Head } from './head.ts';

/** The most posts in the HTML of the blog's list. The application loads the others. */
const LIST_MAX = 50;

/**
 * The text of a page. `fill` puts its posts, or the code of its link, into the prerendered HTML.
 */
export type PageText = { head: Head; status: 200; fill: (template: string) => string };
/** A page without text from the Worker. The application says what is missing. */
type NoText = { head: Head; status: 404 | 429 | 503 };

/** The tag that the list of posts is limited to; null for all, as for one that no post can have. */
function readTag({ searchParams }: URL): string | null {
  const tag = tagOf(searchParams.get('tag') ?? '');
  return tag === '' || tag.length > POST_TAG_MAX ? null : tag;
}

/** Reads the text of a page: its metadata, and for the blog its posts. */
export async function readPage(
  reader: Reader,
  origins: Origins,
  page: PagePath,
): Promise<PageText | NoText> {
  const { env } = reader;
  const path = new URL(reader.request.url).pathname;
  const head: Head = { meta: PAGE_META[page], path, article: null };
  const unavailable: Head = { ...head, meta: { ...head.meta, index: false } };
  const from = async <T>(
    read: Promise<PublicRead<T>>,
    toText: (value: T) => PageText,
  ): Promise<PageText | NoText> => {
    try {
      const result = await read;
      if (!result.ok) return { head: unavailable, status: 429 };
      return result.value === null ? { head: unavailable, status: 404 } : toText(result.value);
    } catch (error) {
      // Not a 404, because a crawler would drop the page after a database outage of a minute.
      logEvent('page_posts_failed', errorFacts(error));
      return { head: unavailable, status: 503 };
    }
  };
  if (page === '/blogs') {
    const tag = readTag(new URL(reader.request.url));
    const key = postsPageKey(origins, tag);
    const read = readPublic<PostText[]>(reader, key, CACHE_SECONDS, async () =>
      (await listPublishedPosts(openDb(env.DB), null, tag)).rows
        .slice(0, LIST_MAX)
        .map((row) => listText(toPost(row))),
    );
    return from(read, (posts) => ({
      head,
      status: 200,
      fill: (template) => fillPosts(template, posts, tag),
    }));
  }
  if (page === '/analytics/:code') {
    return {
      head,
      status: 200,
      fill: (template) => fillCode(template, path.slice('/analytics/'.length)),
    };
  }
  if (page !== '/blog/:slug') return { head, status: 200, fill: (template) => template };
  const slug = path.slice('/blog/'.length);
  if (!isSlug(slug)) return { head: unavailable, status: 404 };
  const read = readPublic<Post>(reader, postPageKey(origins, slug), CACHE_SECONDS, async () => {
    const row = await readPublishedPost(openDb(env.DB), slug);
    return row === undefined ? null : toPost(row);
  });
  return from(read, (post) => ({
    head: postHead(post),
    status: 200,
    fill: (template) => fillPost(template, post),
  }));
}
