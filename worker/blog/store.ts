import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema.ts';
import { shownSlug, storedSlug } from './stored-slug.ts';

/** A list of posts holds at most so many, with at most so many characters of content together. */
export const POSTS_MAX = 200;
const POSTS_CHARS_MAX = 1_000_000;

/** A post with its slug as everybody sees it. Only this file knows how the slug is stored. */
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
  return { rows: rows.map(shown), more: count < sizes.length };
}

/** The post as everybody sees it. */
export const shown = (row: PostRow): PostRow => ({ ...row, slug: shownSlug(row.slug) });

export async function findPost(db: Db, id: number): Promise<PostRow | undefined> {
  const row = await db.select().from(posts).where(eq(posts.id, id)).get();
  return row === undefined ? undefined : shown(row);
}

/** Inserts where `when` holds. Returns no row where it does not, or where the slug is taken: for a draft, by one of its author. */
export function insertStatement(db: Db, authorId: string, fields: PostFields, now: number, when: SQL) {
  const { title, content, published } = fields;
  const slug = storedSlug({ ...fields, author_id: authorId });
  return db
    .insert(posts)
    .select(
      sql`select null, ${slug}, ${title}, ${content}, ${published ? 1 : 0}, ${authorId}, ${now}, ${now}, ${published ? now : null} where ${when}`,
    )
    .onConflictDoNothing({ target: posts.slug })
    .returning();
}

/** True in SQL, behind `insertStatement` in its batch, where that statement inserted. */
export function justInserted(authorId: string, fields: PostFields, now: number): SQL {
  const slug = storedSlug({ ...fields, author_id: authorId });
  return sql`exists (select 1 from ${posts} where slug = ${slug} and author_id = ${authorId} and created_at = ${now})`;
}

/**
 * Frees the slug that `fields` will be published under from a draft that still has it alone: the release before this one wrote
 * drafts so. Belongs before the statement that publishes, in its batch.
 */
export function freeFromDraft(db: Db, fields: PostFields) {
  const draft = sql`coalesce(author_id, '') || '/' || slug`;
  return db
    .update(posts)
    .set({ slug: draft })
    .where(
      and(
        sql`${fields.published ? 1 : 0}`,
        eq(posts.slug, fields.slug),
        eq(posts.published, false),
        sql`not exists (select 1 from ${posts} other where other.slug = coalesce(posts.author_id, '') || '/' || posts.slug)`,
      ),
    );
}

/** True in SQL while `row` is as it was read: what was decided on it still holds. */
export function unchanged(row: PostRow): SQL {
  return sql`exists (select 1 from ${posts} where ${posts.id} = ${row.id} and ${posts.updated_at} = ${row.updated_at} and ${posts.published} = ${row.published ? 1 : 0})`;
}

/** True in SQL while `row` may have the slug of `fields`: no other post is stored under it. */
export function slugFree(row: PostRow, fields: PostFields): SQL {
  const slug = storedSlug({ ...fields, author_id: row.author_id });
  return sql`not exists (select 1 from ${posts} where slug = ${slug} and id <> ${row.id})`;
}

export async function isSlugTaken(db: Db, fields: PostFields, authorId: string | null, exceptId = 0): Promise<boolean> {
  const slug = storedSlug({ ...fields, author_id: authorId });
  const other = await db.select({ id: posts.id }).from(posts).where(eq(posts.slug, slug)).get();
  return other !== undefined && other.id !== exceptId;
}

/** Writes `fields` over the post where `when` holds. `updated_at` always rises, so that `unchanged` notices every write. */
export function updateStatement(db: Db, row: PostRow, fields: PostFields, now: number, when: SQL | undefined) {
  return db
    .update(posts)
    .set({
      ...fields,
      slug: storedSlug({ ...fields, author_id: row.author_id }),
      updated_at: Math.max(now, row.updated_at + 1),
      published_at: row.published_at ?? (fields.published ? now : null),
    })
    .where(and(eq(posts.id, row.id), when))
    .returning();
}

export function deleteStatement(db: Db, row: PostRow, when: SQL): BatchItem<'sqlite'> {
  return db.delete(posts).where(and(eq(posts.id, row.id), when));
}
