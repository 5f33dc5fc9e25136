import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { insertSelected } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { publicSlug, storedSlug } from './drafts.ts';

export const POSTS_MAX = 200;
const POSTS_CHARS_MAX = 1_000_000;

/** A post with its public slug. This file converts the slug from and to its stored value. */
export type PostRow = typeof posts.$inferSelect;
export type PostFields = Pick<
  PostRow,
  'title' | 'content' | 'slug' | 'excerpt' | 'author' | 'tags' | 'published'
>;

/**
 * `authorId` is null for all authors, `tag` for all tags. `before` limits the list to posts older
 * than the post with this id; null for all.
 */
export type PostFilter = {
  authorId: string | null;
  publishedOnly: boolean;
  tag: string | null;
  before: number | null;
};

/**
 * Returns the newest posts that fit into one list (by creation, then by id), and whether there are
 * older ones.
 */
export async function listPosts(
  db: Db,
  filter: PostFilter,
): Promise<{ rows: PostRow[]; more: boolean }> {
  const conditions: SQL[] = [];
  if (filter.publishedOnly) conditions.push(eq(posts.published, true));
  if (filter.authorId !== null) conditions.push(eq(posts.author_id, filter.authorId));
  if (filter.tag !== null)
    conditions.push(
      sql`exists (select 1 from json_each(${posts.tags}) where value = ${filter.tag})`,
    );
  if (filter.before !== null)
    conditions.push(
      sql`(${posts.created_at}, ${posts.id}) < (select created_at, id from ${posts} as last where last.id = ${filter.before})`,
    );
  const chosen = and(...conditions);
  // Reads only the lengths first, so that a list of long posts stays within POSTS_CHARS_MAX.
  const sizes = await db
    .select({ size: sql<number>`length(${posts.content})` })
    .from(posts)
    .where(chosen)
    .orderBy(desc(posts.created_at), desc(posts.id))
    .limit(POSTS_MAX + 1);
  let chars = 0;
  const over = sizes.findIndex(({ size }, index) => (chars += size) > POSTS_CHARS_MAX && index > 0);
  const count = Math.min(over === -1 ? sizes.length : over, POSTS_MAX);
  const rows = await db
    .select()
    .from(posts)
    .where(chosen)
    .orderBy(desc(posts.created_at), desc(posts.id))
    .limit(count);
  return { rows: rows.map(shown), more: count < sizes.length };
}

export const shown = (row: PostRow): PostRow => ({ ...row, slug: publicSlug(row.slug) });

export async function findPost(db: Db, id: number): Promise<PostRow | undefined> {
  const row = await db.select().from(posts).where(eq(posts.id, id)).get();
  return row === undefined ? undefined : shown(row);
}

/**
 * Inserts a post if `when` is true. Returns no row if it is not, or if the slug is taken (for a
 * draft: by the same author).
 */
export function insertStatement(authorId: string, fields: PostFields, now: number, when: SQL) {
  const row = {
    ...fields,
    slug: storedSlug({ ...fields, author_id: authorId }),
    tags: JSON.stringify(fields.tags),
    published: fields.published ? 1 : 0,
    author_id: authorId,
    created_at: now,
    updated_at: now,
    published_at: fields.published ? now : null,
  };
  return insertSelected<{ id: number }>(
    posts,
    row,
    sql`where ${when} on conflict (slug) do nothing returning id`,
  );
}

/** True in SQL if `insertStatement`, earlier in the same batch, has inserted the post. */
export function wasInserted(authorId: string, fields: PostFields, now: number): SQL {
  const slug = storedSlug({ ...fields, author_id: authorId });
  return sql`exists (select 1 from ${posts} where slug = ${slug} and author_id = ${authorId} and created_at = ${now})`;
}

/**
 * True in SQL while the post is as it was read, so that decisions based on `row` are still valid.
 */
export function isUnchanged(row: PostRow): SQL {
  return sql`exists (select 1 from ${posts} where ${posts.id} = ${row.id} and ${posts.updated_at} = ${row.updated_at} and ${posts.published} = ${row.published ? 1 : 0})`;
}

export function isSlugFree(row: PostRow, fields: PostFields): SQL {
  const slug = storedSlug({ ...fields, author_id: row.author_id });
  return sql`not exists (select 1 from ${posts} where slug = ${slug} and id <> ${row.id})`;
}

export async function isSlugTaken(
  db: Db,
  fields: PostFields,
  authorId: string | null,
  exceptId = 0,
): Promise<boolean> {
  const slug = storedSlug({ ...fields, author_id: authorId });
  const other = await db.select({ id: posts.id }).from(posts).where(eq(posts.slug, slug)).get();
  return other !== undefined && other.id !== exceptId;
}

/**
 * Updates a post if `when` is true. `updated_at` always increases, even within one millisecond, so
 * that `isUnchanged` notices every write.
 */
export function updateStatement(db: Db, row: PostRow, fields: PostFields, now: number, when: SQL) {
  return db
    .update(posts)
    .set({
      ...fields,
      slug: storedSlug({ ...fields, author_id: row.author_id }),
      updated_at: Math.max(now, row.updated_at + 1),
      published_at: row.published_at ?? (fields.published ? now : null),
    })
    .where(and(eq(posts.id, row.id), when));
}

export const deleteStatement = (id: number, when: SQL): SQL =>
  sql`delete from ${posts} where id = ${id} and ${when}`;
