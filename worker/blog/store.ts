import { and, desc, eq, ne, notExists, sql, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { POSTS_CHARS_MAX, POSTS_MAX } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema.ts';

export type PostRow = typeof posts.$inferSelect;
export type PostFields = Pick<PostRow, 'title' | 'content' | 'slug' | 'published'>;

/** Posts of one author, or (null) of everybody; only published ones where `publishedOnly`; older than `before` where it is given. */
export type PostFilter = { authorId: string | null; publishedOnly: boolean; before: number | null };

/** The newest posts that fit into one list, and whether there are older ones. Newest by creation, then by id. */
export async function listPosts(db: Db, filter: PostFilter): Promise<{ rows: PostRow[]; more: boolean }> {
  const conditions: SQL[] = [];
  if (filter.publishedOnly) conditions.push(eq(posts.published, true));
  if (filter.authorId !== null) conditions.push(eq(posts.author_id, filter.authorId));
  if (filter.before !== null)
    conditions.push(
      sql`(${posts.created_at}, ${posts.id}) < (select created_at, id from ${posts} as last where last.id = ${filter.before})`,
    );
  const chosen = and(...conditions);
  // The first pass reads lengths only: a list of long posts stays a bounded answer.
  const sizes = await db
    .select({ size: sql<number>`length(${posts.content})` })
    .from(posts)
    .where(chosen)
    .orderBy(desc(posts.created_at), desc(posts.id))
    .limit(POSTS_MAX + 1);
  let chars = 0;
  const over = sizes.findIndex(({ size }, index) => (chars += size) > POSTS_CHARS_MAX && index > 0);
  const count = Math.min(over === -1 ? sizes.length : over, POSTS_MAX);
  const rows = await db.select().from(posts).where(chosen).orderBy(desc(posts.created_at), desc(posts.id)).limit(count);
  return { rows, more: count < sizes.length };
}

export function findBySlug(db: Db, slug: string): Promise<PostRow | undefined> {
  return db.select().from(posts).where(eq(posts.slug, slug)).get();
}

export function countDrafts(db: Db, authorId: string): Promise<number> {
  return db.$count(posts, and(eq(posts.author_id, authorId), eq(posts.published, false)));
}

export function findPost(db: Db, id: number): Promise<PostRow | undefined> {
  return db.select().from(posts).where(eq(posts.id, id)).get();
}

/** Returns no row where the slug is taken. */
export function insertStatement(db: Db, authorId: string, fields: PostFields, now: number) {
  return db
    .insert(posts)
    .values({ ...fields, author_id: authorId, created_at: now, updated_at: now, published_at: fields.published ? now : null })
    .onConflictDoNothing({ target: posts.slug })
    .returning();
}

/** True in SQL, behind `insertStatement` in its batch, where that statement inserted. */
export function justInserted(slug: string, authorId: string, now: number): SQL {
  return sql`exists (select 1 from ${posts} where ${posts.slug} = ${slug} and ${posts.author_id} = ${authorId} and ${posts.created_at} = ${now})`;
}

/** True in SQL while `row` is as it was read: what was decided on it still holds. */
export function unchanged(row: PostRow): SQL {
  return sql`exists (select 1 from ${posts} where ${posts.id} = ${row.id} and ${posts.updated_at} = ${row.updated_at} and ${posts.published} = ${row.published ? 1 : 0})`;
}

export function slugFree(db: Db, slug: string, exceptId: number): SQL {
  return notExists(
    db
      .select({ one: sql`1` })
      .from(posts)
      .where(and(eq(posts.slug, slug), ne(posts.id, exceptId))),
  );
}

/** Writes `fields` over the post where `when` holds. `updated_at` always rises, so that `unchanged` notices every write. */
export function updateStatement(db: Db, row: PostRow, fields: PostFields, now: number, when: SQL | undefined) {
  return db
    .update(posts)
    .set({
      ...fields,
      updated_at: Math.max(now, row.updated_at + 1),
      published_at: row.published_at ?? (fields.published ? now : null),
    })
    .where(and(eq(posts.id, row.id), when))
    .returning();
}

export function deleteStatement(db: Db, row: PostRow, when: SQL): BatchItem<'sqlite'> {
  return db.delete(posts).where(and(eq(posts.id, row.id), when));
}
