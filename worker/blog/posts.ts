import { and, sql } from 'drizzle-orm';
import type { PostChange, PostInput } from '#contract/blog.ts';
import { recordAction, type AuditEntry } from '#worker/audit/record-action.ts';
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
  shown,
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
  const insert = insertStatement(
    db,
    writer.id,
    input,
    now,
    writer.admin ? sql`true` : hasRoomForDraft(writer.id, input),
  );
  let inserted: PostRow[];
  if (writer.admin) {
    const entry: AuditEntry = {
      at: now,
      adminId: writer.id,
      action: 'create_post',
      subject: `post:${input.slug}`,
      after: auditFacts(input),
    };
    const record = recordAction(db, entry, wasInserted(writer.id, input, now));
    [inserted] = await db.batch([insert, record]);
  } else {
    inserted = await insert;
  }
  const post = inserted[0];
  if (post !== undefined) return { ok: true, post: shown(post) };
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
  const allowed = and(
    isUnchanged(row),
    isSlugFree(row, fields),
    writer.admin ? undefined : hasRoomForChange(writer.id, id, fields),
  );
  const update = updateStatement(db, row, fields, now, allowed);
  let updated: PostRow[];
  if (writer.admin) {
    const entry = {
      at: now,
      adminId: writer.id,
      action: 'change_post',
      subject: `post:${row.slug}`,
      before: auditFacts(row),
      after: auditFacts(fields),
    };
    [, updated] = await db.batch([recordAction(db, entry, allowed), update]);
  } else {
    updated = await update;
  }
  const post = updated[0];
  if (post !== undefined) return { ok: true, post: shown(post) };
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
  const entry = {
    at: now,
    adminId: writer.id,
    action: 'delete_post',
    subject: `post:${row.slug}`,
    before: auditFacts(row),
  };
  await (writer.admin
    ? db.batch([recordAction(db, entry, same), deleteStatement(db, row, same)])
    : deleteStatement(db, row, same));
  const remaining = await findPost(db, id);
  return remaining === undefined ? { ok: true } : { ok: false, reason: 'post_changed' };
}

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
