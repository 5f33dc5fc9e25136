import { eq } from 'drizzle-orm';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import type { Db } from '#worker/db/client.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import { posts } from '#worker/db/schema-blog.ts';
import {
  feedKey,
  postKey,
  postListKey,
  postPageKey,
  postPictureKey,
  postsPageKey,
  sitemapKey,
} from '#worker/http/cache-keys.ts';
import { evict } from '#worker/http/edge-cache.ts';

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Evicts a written post from this data center's cache, so that the writer sees the change; in other
 * data centers the entries expire within a minute. The slug is read before the write, because the
 * write may change it.
 */
export const evictPostAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (READ_METHODS.has(c.req.method)) return next();
  const slug = await readSlug(c.get('db'), c.req.path.slice(c.req.path.lastIndexOf('/') + 1));
  await next();
  if (!c.res.ok) return;
  const origins = c.get('origins');
  const keysOfPost =
    slug === null
      ? []
      : [postKey(origins, slug), postPageKey(origins, slug), postPictureKey(origins, slug)];
  await evict([
    postListKey(origins, null),
    postsPageKey(origins),
    feedKey(origins),
    sitemapKey(origins),
    ...keysOfPost,
  ]);
};

async function readSlug(db: Db, id: string): Promise<string | null> {
  const postId = idFromCursor(id);
  if (postId === null) return null;
  const row = await db.select({ slug: posts.slug }).from(posts).where(eq(posts.id, postId)).get();
  return row?.slug ?? null;
}
