import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Post, PublicPost } from '#contract/blog/blog.ts';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { listPosts, shown, type PostRow } from './store.ts';

/** A published post. This module never returns drafts. */
export type PublishedPost = PostRow;

/**
 * Returns published posts, newest first. If `before` is given, only those older than the post with
 * that id; if `tag` is given, only those with that tag.
 */
export function listPublishedPosts(
  db: Db,
  before: number | null,
  tag: string | null,
): Promise<{ rows: PublishedPost[]; more: boolean }> {
  return listPosts(db, { authorId: null, publishedOnly: true, tag, before });
}

/** Returns the published post with this slug; undefined for drafts and unknown slugs alike. */
export async function readPublishedPost(db: Db, slug: string): Promise<PublishedPost | undefined> {
  const row = await db
    .select()
    .from(posts)
    .where(and(eq(posts.slug, slug), eq(posts.published, true)))
    .get();
  return row === undefined ? undefined : shown(row);
}

/**
 * Returns the published posts before (older) and after (newer) this one in the list. Reads one row
 * for each.
 */
export async function readNeighbors(
  db: Db,
  { id, created_at }: PublishedPost,
): Promise<Pick<PublicPost, 'previous' | 'next'>> {
  const link = { slug: posts.slug, title: posts.title };
  const position = sql`(${posts.created_at}, ${posts.id})`;
  const isPublished = eq(posts.published, true);
  const [previous, next] = await db.batch([
    db
      .select(link)
      .from(posts)
      .where(and(isPublished, sql`${position} < (${created_at}, ${id})`))
      .orderBy(desc(posts.created_at), desc(posts.id))
      .limit(1),
    db
      .select(link)
      .from(posts)
      .where(and(isPublished, sql`${position} > (${created_at}, ${id})`))
      .orderBy(asc(posts.created_at), asc(posts.id))
      .limit(1),
  ]);
  return { previous: previous[0] ?? null, next: next[0] ?? null };
}

export async function newestPublishedPosts(db: Db, count: number): Promise<PublishedPost[]> {
  const rows = await db
    .select()
    .from(posts)
    .where(eq(posts.published, true))
    .orderBy(desc(posts.created_at))
    .limit(count);
  return rows.map(shown);
}

/** Returns the slug and the last change (ms) of the newest `count` published posts. */
export function publishedPostAddresses(
  db: Db,
  count: number,
): Promise<{ slug: string; updated_at: number }[]> {
  return db
    .select({ slug: posts.slug, updated_at: posts.updated_at })
    .from(posts)
    .where(eq(posts.published, true))
    .orderBy(desc(posts.created_at))
    .limit(count);
}

/** Returns when a post was first published, in ms. The column is null only for drafts. */
export const publishedAt = (post: PublishedPost): number => post.published_at ?? post.created_at;

export function toPost(row: PostRow): Post {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    slug: row.slug,
    excerpt: row.excerpt,
    author: row.author,
    tags: row.tags,
    published: row.published,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    published_at: row.published_at === null ? null : new Date(row.published_at).toISOString(),
  };
}
