import { eq } from 'drizzle-orm';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '#worker/http/context.ts';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema.ts';
import { feedKey, postHeadKey, postKey, postListKey, sitemapKey } from '#worker/http/cache-keys.ts';
import { evict } from '#worker/http/edge-cache.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Ends what this data centre keeps of a post when somebody writes it, so that writers see what they have done; elsewhere
 * the entries end within a minute. The post's slug is read before the write, which may change it.
 */
export const forgetAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (READS.has(c.req.method)) return next();
  const slug = await slugOf(c.get('db'), c.req.path.slice(c.req.path.lastIndexOf('/') + 1));
  await next();
  if (!c.res.ok) return;
  const origins = c.get('origins');
  const ofPost = slug === null ? [] : [postKey(origins, slug), postHeadKey(origins, slug)];
  await evict([postListKey(origins, null), feedKey(origins), sitemapKey(origins), ...ofPost]);
};

/** The slug of the post with this id; null for none, and where the path ends in no id. */
async function slugOf(db: Db, id: string): Promise<string | null> {
  if (!/^[1-9]\d{0,14}$/.test(id)) return null;
  const row = await db
    .select({ slug: posts.slug })
    .from(posts)
    .where(eq(posts.id, Number(id)))
    .get();
  return row?.slug ?? null;
}
