import { and, sql } from 'drizzle-orm';
import type { PostChange, PostInput } from '#contract/blog.ts';
import { recordStatement, type LogEntry } from '#worker/audit/log.ts';
import type { Db } from '#worker/db/client.ts';
import { draftProblem, readDraftUsage, roomForChange, roomForDraft } from './draft-limits.ts';
import {
  deleteStatement,
  findPost,
  freeFromDraft,
  insertStatement,
  isSlugTaken,
  justInserted,
  listPosts,
  shown,
  slugFree,
  unchanged,
  updateStatement,
  type PostFields,
  type PostFilter,
  type PostRow,
} from './store.ts';

/** Who writes: the id and whether the database calls them an administrator. */
export type Writer = { id: string; admin: boolean };
export type Refusal =
  | {
      ok: false;
      reason:
        | 'not_found'
        | 'only_admin_publishes'
        | 'only_admin_changes_published'
        | 'slug_taken'
        | 'changed_meanwhile'
        | 'too_many_drafts';
    }
  /** `bytes`: what the other drafts hold. */
  | { ok: false; reason: 'drafts_too_long'; bytes: number };
export type Written = { ok: true; post: PostRow } | Refusal;

/** What a writer may see: an administrator everything, others what they wrote (decision 5). */
export function writersPosts(db: Db, writer: Writer, before: number | null): Promise<{ rows: PostRow[]; more: boolean }> {
  const filter: PostFilter = { authorId: writer.admin ? null : writer.id, publishedOnly: false, before };
  return listPosts(db, filter);
}

/**
 * Adds a post. Only an administrator may have it published at once (decision 5). A member's drafts are limited in number and
 * in length together.
 */
export async function createPost(db: Db, writer: Writer, input: PostInput, now: number): Promise<Written> {
  if (input.published && !writer.admin) return { ok: false, reason: 'only_admin_publishes' };
  const insert = insertStatement(db, writer.id, input, now, writer.admin ? sql`true` : roomForDraft(writer.id, input));
  let made: PostRow[];
  if (writer.admin) {
    const entry: LogEntry = {
      at: now,
      adminId: writer.id,
      action: 'create_post',
      subject: `post:${input.slug}`,
      after: facts(input),
    };
    const record = recordStatement(db, entry, justInserted(writer.id, input, now));
    [, made] = await db.batch([freeFromDraft(db, input), insert, record]);
  } else {
    made = await insert;
  }
  const post = made[0];
  if (post !== undefined) return { ok: true, post: shown(post) };
  if (await isSlugTaken(db, input, writer.id)) return { ok: false, reason: 'slug_taken' };
  const usage = await readDraftUsage(db, writer.id);
  if (draftProblem(usage, input) === 'drafts_too_long') return { ok: false, reason: 'drafts_too_long', bytes: usage.bytes };
  // Also where a draft has been deleted since: the next try will work.
  return { ok: false, reason: 'too_many_drafts' };
}

/**
 * Changes what `change` names. An administrator may change every post, others their own drafts; somebody else's post
 * is not found. What an administrator changes is recorded in the admin log.
 */
export async function changePost(db: Db, writer: Writer, id: number, change: PostChange, now: number): Promise<Written> {
  const row = await findPost(db, id);
  const refused = refuse(row, writer, change.published ?? false);
  if (refused !== null || row === undefined) return refused ?? { ok: false, reason: 'not_found' };
  const fields: PostFields = {
    title: change.title ?? row.title,
    content: change.content ?? row.content,
    slug: change.slug ?? row.slug,
    published: change.published ?? row.published,
  };
  const allowed = and(unchanged(row), slugFree(row, fields), writer.admin ? undefined : roomForChange(writer.id, id, fields));
  const update = updateStatement(db, row, fields, now, allowed);
  let done: PostRow[];
  if (writer.admin) {
    const entry = {
      at: now,
      adminId: writer.id,
      action: 'change_post',
      subject: `post:${row.slug}`,
      before: facts(row),
      after: facts(fields),
    };
    [, , done] = await db.batch([freeFromDraft(db, fields), recordStatement(db, entry, allowed), update]);
  } else {
    done = await update;
  }
  const post = done[0];
  if (post !== undefined) return { ok: true, post: shown(post) };
  if (await isSlugTaken(db, fields, row.author_id, id)) return { ok: false, reason: 'slug_taken' };
  if (writer.admin) return { ok: false, reason: 'changed_meanwhile' };
  const usage = await readDraftUsage(db, writer.id, id);
  return draftProblem(usage, fields) === 'drafts_too_long'
    ? { ok: false, reason: 'drafts_too_long', bytes: usage.bytes }
    : { ok: false, reason: 'changed_meanwhile' };
}

/** Removes a post under the rules of `changePost`. */
export async function removePost(db: Db, writer: Writer, id: number, now: number): Promise<{ ok: true } | Refusal> {
  const row = await findPost(db, id);
  const refused = refuse(row, writer, false);
  if (refused !== null || row === undefined) return refused ?? { ok: false, reason: 'not_found' };
  const still = unchanged(row);
  const entry = { at: now, adminId: writer.id, action: 'delete_post', subject: `post:${row.slug}`, before: facts(row) };
  await (writer.admin
    ? db.batch([recordStatement(db, entry, still), deleteStatement(db, row, still)])
    : deleteStatement(db, row, still));
  const left = await findPost(db, id);
  return left === undefined ? { ok: true } : { ok: false, reason: 'changed_meanwhile' };
}

function refuse(row: PostRow | undefined, writer: Writer, publish: boolean): Refusal | null {
  if (row === undefined || (!writer.admin && row.author_id !== writer.id)) return { ok: false, reason: 'not_found' };
  if (writer.admin) return null;
  if (row.published) return { ok: false, reason: 'only_admin_changes_published' };
  return publish ? { ok: false, reason: 'only_admin_publishes' } : null;
}

/** What the log keeps of a post: its text is long and stays where it is. */
function facts(post: PostFields): Record<string, unknown> {
  return { title: post.title, slug: post.slug, published: post.published, characters: post.content.length };
}
