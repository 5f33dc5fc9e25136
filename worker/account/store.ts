import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_users, dev_mails } from '#worker/db/schema-auth.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import {
  abuse_reports,
  address_standing,
  admin_log,
  blocklist,
  link_holds,
  links,
  posts,
  subscriptions,
  users,
} from '#worker/db/schema.ts';
import { hasAnotherAdmin } from './user-state.ts';

const LINKS_AT_ONCE = 2000;

/** The person's own rows, links apart. `hash`: of their address, see address-standing.ts. */
export async function readPerson(db: Db, userId: string, hash: string | null) {
  const [profile, subscription, account, written, standing] = await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(subscriptions).where(eq(subscriptions.user_id, userId)),
    db
      .select({
        email: auth_users.email,
        email_confirmed_at: auth_users.email_confirmed_at,
        user_metadata: auth_users.user_metadata,
        created_at: auth_users.created_at,
        last_sign_in_at: auth_users.last_sign_in_at,
      })
      .from(auth_users)
      .where(eq(auth_users.id, userId)),
    db.select().from(posts).where(eq(posts.author_id, userId)).orderBy(asc(posts.id)),
    db
      .select({ demoted_at: address_standing.demoted_at })
      .from(address_standing)
      .where(eq(address_standing.address_hash, hash ?? '')),
  ]);
  return { profile: profile[0], subscription: subscription[0], account: account[0], posts: written, standing: standing[0] };
}

/** Every link of the person, deleted ones too, oldest first, with its counts. Read in pieces that D1 answers at once. */
export async function readLinks(db: Db, userId: string) {
  const all: Awaited<ReturnType<typeof linksAfter>> = [];
  for (;;) {
    const page = await linksAfter(db, userId, all.at(-1)?.link.id ?? 0);
    all.push(...page);
    if (page.length < LINKS_AT_ONCE) return all;
  }
}

function linksAfter(db: Db, userId: string, id: number) {
  return db
    .select({ link: links, totals: link_totals })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(eq(links.user_id, userId), gt(links.id, id)))
    .orderBy(asc(links.id))
    .limit(LINKS_AT_ONCE);
}

export async function readAnchor(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .select({ anchor: subscriptions.cycle_anchor })
    .from(subscriptions)
    .where(eq(subscriptions.user_id, userId))
    .get();
  return row?.anchor;
}

/** True in SQL where the person may delete their account: not while suspended, and never as the last administrator. */
export function mayLeave(userId: string): SQL {
  return sql`exists (select 1 from ${users} where id = ${userId} and suspended_at is null
    and (role <> 'admin' or ${hasAnotherAdmin(userId)}))`;
}

export const deletePerson = (userId: string, when: SQL): SQL => sql`delete from ${users} where id = ${userId} and ${when}`;

/** True in SQL once the person's row is deleted: the condition of every further statement of the batch. */
export const isGone = (userId: string): SQL => sql`not exists (select 1 from ${users} where id = ${userId})`;

/** The person's links go: they lead nowhere, their codes stay taken, their counts stay without an owner. */
export function removeLinks(userId: string, now: number, when: SQL): SQL {
  return sql`update ${links} set status = 'deleted', target = '', target_host = '', recheck_at = null,
    disabled_by = null, disabled_reason = null, version = version + 1,
    updated_at = ${now} where user_id = ${userId} and status <> 'deleted' and ${when}`;
}

/** What administrators wrote about links that are gone. */
export const forgetHolds = (userId: string, when: SQL): SQL => sql`delete from ${link_holds}
  where link_id in (select id from ${links} where user_id = ${userId} and status = 'deleted') and ${when}`;

/** Links deleted earlier still name their target. */
export const emptyDeletedLinks = (userId: string, when: SQL): SQL =>
  sql`update ${links} set target = '', target_host = '' where user_id = ${userId} and status = 'deleted' and ${when}`;

/** Kept links belong together under `label`, so that an administrator can act on all of them; deleted ones to nobody. */
export const labelLinks = (userId: string, label: string, when: SQL): SQL =>
  sql`update ${links} set user_id = iif(status = 'deleted', null, ${label}) where user_id = ${userId} and ${when}`;

export const linksOf = (userId: string): SQL => sql`${links.user_id} = ${userId}`;

/**
 * Everything else that names the person. Drafts go, published posts stay without an author; the admin log stays, as a
 * record of security, under `label` instead of the id.
 */
export function forgetPerson(userId: string, email: string, label: string, when: SQL): SQL[] {
  return [
    sql`delete from ${subscriptions} where user_id = ${userId} and ${when}`,
    sql`delete from ${posts} where author_id = ${userId} and published = 0 and ${when}`,
    sql`update ${posts} set author_id = null where author_id = ${userId} and ${when}`,
    sql`update ${blocklist} set added_by = ${label} where added_by = ${userId} and ${when}`,
    sql`update ${abuse_reports} set closed_by = ${label} where closed_by = ${userId} and ${when}`,
    sql`update ${admin_log} set
      admin_id = replace(admin_id, ${userId}, ${label}), subject = replace(subject, ${userId}, ${label}),
      before = ${hidden(sql`before`, userId, email, label)}, after = ${hidden(sql`after`, userId, email, label)},
      reason = ${hidden(sql`reason`, userId, email, label)}
      where (instr(admin_id || ' ' || subject || ' ' || before || ' ' || after || ' ' || reason, ${userId}) > 0
        or (${email} <> '' and instr(before || ' ' || after || ' ' || reason, ${email}) > 0)) and ${when}`,
    sql`delete from ${dev_mails} where ${email} <> '' and "to" = ${email} and ${when}`,
  ];
}

const hidden = (column: SQL, userId: string, email: string, label: string): SQL =>
  // replace() with an empty word changes nothing.
  sql`replace(replace(${column}, ${userId}, ${label}), ${email}, ${label})`;
