import { sql, type SQL } from 'drizzle-orm';
import { DRAFT_BYTES_MAX, DRAFTS_MAX } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { posts } from '#worker/db/schema-blog.ts';

/**
 * Returns the value of `posts.slug`: the slug of a published post, and '<author id>/<slug>' for a
 * draft, so that drafts cannot reserve slugs. The unique index keeps slugs unique among published
 * posts and among the drafts of an author, because a slug never contains '/'. A draft without an
 * author (of a deleted account) has '/<slug>'.
 */
export function storedSlug(post: {
  slug: string;
  published: boolean;
  author_id: string | null;
}): string {
  return post.published ? post.slug : `${post.author_id ?? ''}/${post.slug}`;
}

/**
 * Returns the slug in a stored value. Drafts of releases before this rule are stored as the slug
 * alone.
 */
export const publicSlug = (stored: string): string => stored.slice(stored.lastIndexOf('/') + 1);

/**
 * How much of DRAFTS_MAX and DRAFT_BYTES_MAX a member's drafts use. Administrators have no limit.
 */
type DraftUsage = { drafts: number; bytes: number };

type Text = { title: string; content: string };

const BYTES = sql`length(cast(title as blob)) + length(cast(content as blob))`;
const bytesOf = ({ title, content }: Text): number =>
  new TextEncoder().encode(title + content).length;
const draftsOf = (authorId: string): SQL =>
  sql`${posts} where author_id = ${authorId} and published = 0`;

/**
 * True in SQL while one more draft fits. It is part of the INSERT, so that concurrent requests
 * cannot exceed the limits.
 */
export function hasRoomForDraft(authorId: string, text: Text): SQL {
  return sql`(select count(*) < ${DRAFTS_MAX} and coalesce(sum(${BYTES}), 0) + ${bytesOf(text)} <= ${DRAFT_BYTES_MAX}
    from ${draftsOf(authorId)})`;
}

/** True in SQL while the text of draft `id` may become `text`. A draft can always be shortened. */
export function hasRoomForChange(authorId: string, id: number, text: Text): SQL {
  return sql`(select coalesce(sum(${BYTES}) filter (where id <> ${id}), 0) + ${bytesOf(text)} <= ${DRAFT_BYTES_MAX}
    or ${bytesOf(text)} <= coalesce(sum(${BYTES}) filter (where id = ${id}), 0) from ${draftsOf(authorId)})`;
}

export async function readDraftUsage(db: Db, authorId: string, exceptId = 0): Promise<DraftUsage> {
  const row = await db.get<DraftUsage>(
    sql`select count(*) as drafts, coalesce(sum(${BYTES}), 0) as bytes from ${draftsOf(authorId)} and id <> ${exceptId}`,
  );
  return { drafts: row.drafts, bytes: row.bytes };
}

/** Returns which limit a draft with `text` would exceed on top of `usage`; null if it fits. */
export function findDraftProblem(
  usage: DraftUsage,
  text: Text,
): 'too_many_drafts' | 'drafts_too_long' | null {
  if (usage.drafts >= DRAFTS_MAX) return 'too_many_drafts';
  return usage.bytes + bytesOf(text) > DRAFT_BYTES_MAX ? 'drafts_too_long' : null;
}
