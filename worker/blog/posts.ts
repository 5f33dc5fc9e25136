import { sql, type SQL } from 'drizzle-orm';
import type { PostChange, PostInput } from '#contract/blog/blog.ts';
import { recordAction, type AuditEntry } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { findDraftProblem, hasRoomForChange, hasRoomForDraft, readDraftUsage } from './drafts.ts';
import {
  deleteStatement,
  findPost,
  insertStatement,
  isSlugFree,
  isSlugTaken,
  isUnchanged,
  listPosts,
  updateStatement,
  wasInserted,
  type PostFields,
  type PostFilter,
  type PostRow,
} from './store.ts';

export type Writer = { id: string; admin: boolean };
export type WriteError = {
  ok: false;
  reason:
    | 'unknown_post'
    | 'only_admin_publishes'
    | 'only_admin_changes_published'
    | 'slug_taken'
    | 'post_changed'
    | 'too_many_drafts'
    | 'drafts_too_long';
  /** `amount` is the size of the author's other drafts. */
  values?: { amount: number };
};
export type WriteResult = { ok: true; post: PostRow } | WriteError;

/**
 * Returns the posts that a writer may see: all posts for an administrator, their own for others
 * (docs/decisions.md#d5).
 */
export function listWriterPosts(
  db: Db,
  writer: Writer,
  before: number | null,
): Promise<{ rows: PostRow[]; more: boolean }> {
  const filter: PostFilter = {
    authorId: writer.admin ? null : writer.id,
    publishedOnly: false,
    tag: null,
    before,
  };
  return listPosts(db, filter);
}

/**
 * Creates a post. Only an administrator may publish (docs/decisions.md#d5). A member's drafts are
 * limited in number and in total length.
 */
export async function createPost(
  db: Db,
  writer: Writer,
  input: PostInput,
  now: number,
): Promise<WriteResult> {
  if (input.published && !writer.admin) return { ok: false, reason: 'only_admin_publishes' };
  const room = writer.admin ? sql`true` : hasRoomForDraft(writer.id, input);
  const entry = { at: now, action: 'create_post', slug: input.slug, after: auditFacts(input) };
  const { inserted } = await runNamedBatch(db, {
    inserted: insertStatement(writer.id, input, now, room),
    record: recordOf(writer, entry, wasInserted(writer.id, input, now)),
  });
  const post = await findPost(db, inserted.rows[0]?.id ?? 0);
  if (post !== undefined) return { ok: true, post };
  if (await isSlugTaken(db, input, writer.id)) return { ok: false, reason: 'slug_taken' };
  const usage = await readDraftUsage(db, writer.id);
  if (findDraftProblem(usage, input) === 'drafts_too_long')
    return { ok: false, reason: 'drafts_too_long', values: { amount: usage.bytes } };
  // This also happens if a draft was deleted after the insert. Trying again then succeeds.
  return { ok: false, reason: 'too_many_drafts' };
}

/**
 * Changes the given fields of a post. An administrator may change every post, others only their own
 * drafts; for them, posts of other authors do not exist. Changes by an administrator are recorded
 * in the audit log.
 */
export async function changePost(
  db: Db,
  writer: Writer,
  id: number,
  change: PostChange,
  now: number,
): Promise<WriteResult> {
  const row = await findPost(db, id);
  const denied = checkAccess(row, writer, change.published ?? false);
  if (denied !== null || row === undefined) return denied ?? { ok: false, reason: 'unknown_post' };
  const fields: PostFields = {
    title: change.title ?? row.title,
    content: change.content ?? row.content,
    slug: change.slug ?? row.slug,
    excerpt: change.excerpt ?? row.excerpt,
    author: change.author ?? row.author,
    tags: change.tags ?? row.tags,
    published: change.published ?? row.published,
  };
  const room = writer.admin ? sql`true` : hasRoomForChange(writer.id, id, fields);
  const allowed = sql`${isUnchanged(row)} and ${isSlugFree(row, fields)} and ${room}`;
  const [before, after] = [auditFacts(row), auditFacts(fields)];
  const entry = { at: now, action: 'change_post', slug: row.slug, before, after };
  const { updated } = await runNamedBatch(db, {
    record: recordOf(writer, entry, allowed),
    updated: updateStatement(db, row, fields, now, allowed),
  });
  const post = updated.changes === 0 ? undefined : await findPost(db, id);
  if (post !== undefined) return { ok: true, post };
  if (await isSlugTaken(db, fields, row.author_id, id)) return { ok: false, reason: 'slug_taken' };
  if (writer.admin) return { ok: false, reason: 'post_changed' };
  const usage = await readDraftUsage(db, writer.id, id);
  return findDraftProblem(usage, fields) === 'drafts_too_long'
    ? { ok: false, reason: 'drafts_too_long', values: { amount: usage.bytes } }
    : { ok: false, reason: 'post_changed' };
}

/** Deletes a post under the rules of `changePost`. */
export async function deletePost(
  db: Db,
  writer: Writer,
  id: number,
  now: number,
): Promise<{ ok: true } | WriteError> {
  const row = await findPost(db, id);
  const denied = checkAccess(row, writer, false);
  if (denied !== null || row === undefined) return denied ?? { ok: false, reason: 'unknown_post' };
  const same = isUnchanged(row);
  const entry = { at: now, action: 'delete_post', slug: row.slug, before: auditFacts(row) };
  await runNamedBatch(db, {
    record: recordOf(writer, entry, same),
    deleted: deleteStatement(id, same),
  });
  const remaining = await findPost(db, id);
  return remaining === undefined ? { ok: true } : { ok: false, reason: 'post_changed' };
}

/** Changes by an administrator are recorded. */
const recordOf = (
  writer: Writer,
  { slug, ...entry }: Omit<AuditEntry, 'adminId' | 'subject'> & { slug: string },
  when: SQL,
): SQL[] =>
  writer.admin
    ? [recordAction({ ...entry, adminId: writer.id, subject: `post:${slug}` }, when)]
    : [];

function checkAccess(
  row: PostRow | undefined,
  writer: Writer,
  publish: boolean,
): WriteError | null {
  if (row === undefined || (!writer.admin && row.author_id !== writer.id))
    return { ok: false, reason: 'unknown_post' };
  if (writer.admin) return null;
  if (row.published) return { ok: false, reason: 'only_admin_changes_published' };
  return publish ? { ok: false, reason: 'only_admin_publishes' } : null;
}

/** The audit log stores the length of a post instead of its text. */
function auditFacts(post: PostFields): Record<string, unknown> {
  return {
    title: post.title,
    slug: post.slug,
    published: post.published,
    characters: post.content.length,
  };
}
