import { sql } from 'drizzle-orm';
import { DELETED_OWNER } from '#contract/abuse.ts';
import { DAY_MS } from '#contract/time.ts';
import { runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { api_keys, idempotent_requests, webhook_endpoints } from '#worker/db/schema-api.ts';
import { account_days, rolled_up_links, weekly_mails } from '#worker/db/schema-accounts.ts';
import { qr_presets } from '#worker/db/schema-qr.ts';
import { link_changes, link_imports, link_tags, link_views, link_words, tags, utm_templates } from '#worker/db/schema-tags.ts';
import { account_totals, deleted_users, links, posts, subscriptions, users } from '#worker/db/schema.ts';

/** Much longer than a request that was running when its account was deleted can take. */
const LOOK_BACK_MS = DAY_MS;

/**
 * Removes the owner from rows that a request wrote while its account was being deleted: the token was checked before the
 * deletion and the row was written after it. Links kept under a deleted account's label keep the label. Does nothing if no
 * account was deleted within the last day.
 */
export async function deleteLeftovers(env: Pick<Env, 'DB'>, now: number): Promise<string> {
  const db = openDb(env.DB);
  const recent = await db.all(sql`select 1 from ${deleted_users} where deleted_at > ${now - LOOK_BACK_MS} limit 1`);
  return recent.length === 0 ? 'no deleted accounts' : `${await removeUnknownOwners(db)} rows`;
}

/** Removes owners that have no account, and what they noted, as the deletion of their account does. Returns the number of rows. */
async function removeUnknownOwners(db: Db): Promise<number> {
  const unknown = (column: string) => sql`not exists (select 1 from ${users} where ${users}.id = ${sql.raw(column)})`;
  const owners = await db.all<{ user_id: string }>(sql`select distinct user_id from ${links} where user_id is not null
    and substr(user_id, 1, ${DELETED_OWNER.length}) <> ${DELETED_OWNER} and ${unknown('links.user_id')}`);
  // By these owners, because an index finds their rows: some of the tables have many rows for each link.
  const isOwner = sql`user_id in (select value from json_each(${JSON.stringify(owners.map(({ user_id }) => user_id))}))`;
  const results = await runBatch(db, [
    sql`delete from ${subscriptions} where ${unknown('subscriptions.user_id')} returning 1`,
    sql`delete from ${api_keys} where ${unknown('api_keys.user_id')} returning 1`,
    sql`delete from ${webhook_endpoints} where ${unknown('webhook_endpoints.user_id')} returning 1`,
    sql`delete from ${idempotent_requests} where ${unknown('idempotent_requests.user_id')} returning 1`,
    sql`delete from ${account_totals} where ${unknown('account_totals.user_id')} returning 1`,
    sql`delete from ${link_tags} where tag_id in (select id from ${tags} where ${unknown('tags.user_id')}) returning 1`,
    sql`delete from ${tags} where ${unknown('tags.user_id')} returning 1`,
    sql`delete from ${qr_presets} where ${unknown('qr_presets.user_id')} returning 1`,
    sql`delete from ${utm_templates} where ${unknown('utm_templates.user_id')} returning 1`,
    sql`delete from ${account_days} where ${unknown('account_days.user_id')} returning 1`,
    sql`delete from ${rolled_up_links} where ${unknown('rolled_up_links.user_id')} returning 1`,
    sql`delete from ${weekly_mails} where ${unknown('weekly_mails.user_id')} returning 1`,
    sql`delete from ${link_views} where ${unknown('link_views.user_id')} returning 1`,
    sql`delete from ${posts} where author_id is not null and published = 0 and ${unknown('posts.author_id')} returning 1`,
    sql`update ${posts} set author_id = null where author_id is not null and ${unknown('posts.author_id')} returning 1`,
    sql`delete from ${link_imports} where ${isOwner} returning 1`,
    sql`delete from ${link_words} where ${isOwner} returning 1`,
    sql`delete from ${link_changes} where link_id in (select id from ${links} where ${isOwner}) returning 1`,
    sql`update ${links} set user_id = null, external_id = null, title = '', note = '', words = '', favorite = 0, archived = 0,
      imported_clicks = null, imported_from = null, target = iif(status = 'deleted', '', target),
      target_host = iif(status = 'deleted', '', target_host) where ${isOwner} returning 1`,
  ]);
  return results.reduce((sum, rows) => sum + rows.length, 0);
}
