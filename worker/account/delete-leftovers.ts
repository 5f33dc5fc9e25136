import { sql, type SQL } from 'drizzle-orm';
import { DELETED_OWNER } from '#contract/moderation/abuse.ts';
import { DAY_MS } from '#contract/time.ts';
import { jsonList, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { rolled_up_links } from '#worker/db/schema-accounts.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { link_words } from '#worker/db/schema-links.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { posts } from '#worker/db/schema-blog.ts';
import { deleted_users, users } from '#worker/db/schema-users.ts';
import { links } from '#worker/db/schema-links.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { OWNED_TABLES } from './store.ts';

/**
 * A request that was running when its account was deleted has ended long before this time has
 * passed.
 */
const LOOK_BACK_MS = DAY_MS;

/**
 * Removes the owner from rows that a request wrote while its account was being deleted: the token
 * was checked before the deletion and the row was written after it. Links kept under a deleted
 * account's label keep the label. Does nothing if no account was deleted within the last day.
 */
export async function deleteLeftovers(env: Pick<Env, 'DB'>, now: number): Promise<JobResult> {
  const db = openDb(env.DB);
  const recent = await db.all(
    sql`select 1 from ${deleted_users} where deleted_at > ${now - LOOK_BACK_MS} limit 1`,
  );
  return recent.length === 0 ? {} : { done: { rows_disowned: await removeUnknownOwners(db) } };
}

/**
 * Removes owners that have no account, and their notes, as the deletion of an account does. Returns
 * the number of rows.
 */
async function removeUnknownOwners(db: Db): Promise<number> {
  const isUnknown = (id: SQL) => sql`not exists (select 1 from ${users} where ${users}.id = ${id})`;
  const owners = await db.all<{
    user_id: string;
  }>(sql`select distinct user_id from ${links} where user_id is not null
    and substr(user_id, 1, ${DELETED_OWNER.length}) <> ${DELETED_OWNER} and ${isUnknown(sql`${links}.user_id`)}`);
  // Selects by these owners, because an index finds their rows. Some of the tables have many rows
  // for each link.
  const isOwner = sql`user_id in ${jsonList(owners.map(({ user_id }) => user_id))}`;
  const results = await runBatch(db, [
    sql`delete from ${link_tags} where tag_id in (select id from ${tags} where ${isUnknown(sql`${tags}.user_id`)}) returning 1`,
    ...[...OWNED_TABLES, rolled_up_links].map(
      (table) => sql`delete from ${table} where ${isUnknown(sql`${table}.user_id`)} returning 1`,
    ),
    sql`delete from ${posts} where author_id is not null and published = 0 and ${isUnknown(sql`${posts}.author_id`)} returning 1`,
    sql`update ${posts} set author_id = null where author_id is not null and ${isUnknown(sql`${posts}.author_id`)} returning 1`,
    sql`delete from ${link_imports} where ${isOwner} returning 1`,
    sql`delete from ${link_words} where ${isOwner} returning 1`,
    sql`delete from ${link_changes} where link_id in (select id from ${links} where ${isOwner}) returning 1`,
    sql`update ${links} set user_id = null, external_id = null, title = '', note = '', words = '', favorite = 0, archived = 0, watch = 'off',
      imported_clicks = null, imported_from = null, target = iif(status = 'deleted', '', target),
      target_host = iif(status = 'deleted', '', target_host) where ${isOwner} returning 1`,
  ]);
  return results.reduce((sum, rows) => sum + rows.length, 0);
}
