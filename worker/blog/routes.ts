import { Hono, type Context, type MiddlewareHandler } from 'hono';
import {
  postChange,
  postInput,
  postListQuery,
  publicListQuery,
  type Post,
  type PostList,
  type PublicPost,
} from '#contract/blog/blog.ts';
import { isSlug } from '#contract/blog/post-text.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { readPublicOrThrow, evict } from '#worker/http/edge-cache.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { idFromCursor } from '#worker/db/paginate.ts';
import { idParam, readJson, readQuery, requireMember } from '#worker/http/validate.ts';
import {
  postKey,
  postListKey,
  feedKey,
  postPageKey,
  postPictureKey,
  postsPageKey,
  sitemapKey,
} from '#worker/http/cache-keys.ts';
import { changePost, createPost, deletePost, listWriterPosts, type Writer } from './posts.ts';
import { listPublishedPosts, readNeighbors, readPublishedPost, toPost } from './published-posts.ts';
import type { PostRow } from './store.ts';
import { eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';

/**
 * Evicts a written post from this data center's cache, so that the writer sees the change; in other
 * data centers the entries expire within a minute. The slug is read before the write, because the
 * write may change it.
 */
const evictPostAfterWrite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  const before = await readStored(c.get('db'), c.req.path.slice(c.req.path.lastIndexOf('/') + 1));
  await next();
  if (!c.res.ok) return;
  const slug = before?.slug ?? null;
  const after = await c.res.clone().json<Partial<Post>>();
  const tags = new Set([null, ...(before?.tags ?? []), ...(after.tags ?? [])]);
  const origins = c.get('origins');
  const keysOfPost =
    slug === null
      ? []
      : [postKey(origins, slug), postPageKey(origins, slug), postPictureKey(origins, slug)];
  await evict([
    ...[...tags].flatMap((tag) => [postListKey(origins, null, tag), postsPageKey(origins, tag)]),
    feedKey(origins),
    sitemapKey(origins),
    ...keysOfPost,
  ]);
};

async function readStored(db: Db, id: string): Promise<Pick<PostRow, 'slug' | 'tags'> | undefined> {
  const postId = idFromCursor(id);
  if (postId === null) return undefined;
  return db
    .select({ slug: posts.slug, tags: posts.tags })
    .from(posts)
    .where(eq(posts.id, postId))
    .get();
}

export const blogRoutes = new Hono<ApiEnv>();

blogRoutes.use('/blogs-admin/*', evictPostAfterWrite);

blogRoutes.get('/blogs', async (c) => {
  const { before = null, tag = null } = readQuery(c, publicListQuery);
  const key = postListKey(c.get('origins'), before, tag);
  const page = await readPublicOrThrow(c, key, async () =>
    toPage(await listPublishedPosts(c.get('db'), before, tag)),
  );
  return respondWithList(c, page ?? { posts: [], next: null }, tag);
});

blogRoutes.get('/blog/:slug', async (c) => {
  const slug = c.req.param('slug');
  const post = isSlug(slug)
    ? await readPublicOrThrow<PublicPost>(c, postKey(c.get('origins'), slug), async () => {
        const row = await readPublishedPost(c.get('db'), slug);
        return row === undefined
          ? null
          : { ...toPost(row), ...(await readNeighbors(c.get('db'), row)) };
      })
    : null;
  if (post === null) throw apiError('unknown_post');
  return c.json(post);
});

blogRoutes.get('/blogs-admin', async (c) => {
  const { before } = readQuery(c, postListQuery);
  return respondWithList(
    c,
    toPage(await listWriterPosts(c.get('db'), writerOf(c), before ?? null)),
  );
});

blogRoutes.post('/blogs-admin', async (c) => {
  await limitWrites(c);
  const input = readJson(c, postInput);
  const result = await createPost(c.get('db'), writerOf(c), input, c.get('now'));
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json(toPost(result.post), 201);
});

blogRoutes.patch('/blogs-admin/:id', async (c) => {
  await limitWrites(c);
  const change = readJson(c, postChange);
  const result = await changePost(c.get('db'), writerOf(c), idParam(c), change, c.get('now'));
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json(toPost(result.post));
});

blogRoutes.delete('/blogs-admin/:id', async (c) => {
  await limitWrites(c);
  const result = await deletePost(c.get('db'), writerOf(c), idParam(c), c.get('now'));
  if (!result.ok) throw apiError(result.reason, result.values);
  return c.json({ success: true });
});

/** `next` is the `before` parameter of the next page; null on the last page. */
type ListPage = { posts: PostList; next: number | null };

function toPage({ rows, more }: { rows: PostRow[]; more: boolean }): ListPage {
  return { posts: rows.map(toPost), next: more ? (rows.at(-1)?.id ?? null) : null };
}

function respondWithList(c: Context<ApiEnv>, page: ListPage, tag: string | null = null): Response {
  const filter = tag === null ? '' : `&tag=${encodeURIComponent(tag)}`;
  if (page.next !== null)
    c.header('Link', `<${c.req.path}?before=${page.next}${filter}>; rel="next"`);
  return c.json(page.posts);
}

function writerOf(c: Context<ApiEnv>): Writer {
  const { id, role } = requireMember(c);
  return { id, admin: role === 'admin' };
}
