import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema.ts';

/** A published post as search engines, feeds and shared links see it. Times in ms. */
export type PublicPost = { slug: string; title: string; content: string; publishedAt: number; updatedAt: number };

const columns = {
  slug: posts.slug,
  title: posts.title,
  content: posts.content,
  created_at: posts.created_at,
  published_at: posts.published_at,
  updated_at: posts.updated_at,
};

type Row = Pick<typeof posts.$inferSelect, keyof typeof columns>;

const toPost = (row: Row): PublicPost => ({
  slug: row.slug,
  title: row.title,
  content: row.content,
  publishedAt: row.published_at ?? row.created_at,
  updatedAt: row.updated_at,
});

/** The published post with this slug; null for a draft, and for none. */
export async function publicPost(db: Db, slug: string): Promise<PublicPost | null> {
  const row = await db
    .select(columns)
    .from(posts)
    .where(and(eq(posts.slug, slug), eq(posts.published, true)))
    .get();
  return row === undefined ? null : toPost(row);
}

/** The newest `count` published posts. */
export async function newestPosts(db: Db, count: number): Promise<PublicPost[]> {
  const rows = await db.select(columns).from(posts).where(eq(posts.published, true)).orderBy(desc(posts.created_at)).limit(count);
  return rows.map(toPost);
}

/** Slug and last change (ms) of every published post, newest first, as many as one sitemap holds beside the pages. */
export function postAddresses(db: Db): Promise<{ slug: string; updated_at: number }[]> {
  return db
    .select({ slug: posts.slug, updated_at: posts.updated_at })
    .from(posts)
    .where(eq(posts.published, true))
    .orderBy(desc(posts.created_at))
    .limit(49_000);
}
