import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_users, dev_mails } from '#worker/db/schema-auth.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { abuse_reports, admin_log, blocklist, link_holds, links, posts, subscriptions, users } from '#worker/db/schema.ts';

const LINKS_AT_ONCE = 2000;

/** The person's own rows, links apart. */
export async function readPerson(db: Db, userId: string) {
  const [profile, subscription, account, written] = await db.batch([
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
  ]);
  return { profile: profile[0], subscription: subscription[0], account: account[0], posts: written };
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

/** Fails its batch where the person is the only administrator: `json()` of this text is an error, and nothing is deleted. */
export function refuseLastAdmin(userId: string): SQL {
  return sql`select json(case when exists (select 1 from ${users} where id = ${userId} and role = 'admin')
    and not exists (select 1 from ${users} where id <> ${userId} and role = 'admin') then 'the last administrator' else 'null' end)`;
}

/** The person's links go: nobody owns them, they lead nowhere, their codes stay taken, their counts stay without an owner. */
export function removeLinks(userId: string, now: number): SQL {
  return sql`update ${links} set status = 'deleted', target = '', target_host = '', recheck_at = null,
    disabled_by = null, disabled_reason = null, version = version + 1,
    updated_at = ${now} where user_id = ${userId} and status <> 'deleted'`;
}

/** What administrators wrote about links that are gone. */
export const forgetHolds = (userId: string): SQL =>
  sql`delete from ${link_holds} where link_id in (select id from ${links} where user_id = ${userId} and status = 'deleted')`;

/** Links deleted earlier still name their target. */
export function emptyDeletedLinks(userId: string): SQL {
  return sql`update ${links} set target = '', target_host = '' where user_id = ${userId} and status = 'deleted'`;
}

export const disownLinks = (userId: string): SQL => sql`update ${links} set user_id = null where user_id = ${userId}`;

export const linksOf = (userId: string): SQL => sql`${links.user_id} = ${userId}`;

/**
 * Everything else that names the person. Drafts go, published posts stay without an author; the admin log stays, as a
 * record of security, under `pseudonym` instead of the id.
 */
export function forgetPerson(userId: string, email: string, pseudonym: string): SQL[] {
  return [
    sql`delete from ${subscriptions} where user_id = ${userId}`,
    sql`delete from ${users} where id = ${userId}`,
    sql`delete from ${posts} where author_id = ${userId} and published = 0`,
    sql`update ${posts} set author_id = null where author_id = ${userId}`,
    sql`update ${blocklist} set added_by = ${pseudonym} where added_by = ${userId}`,
    sql`update ${abuse_reports} set closed_by = ${pseudonym} where closed_by = ${userId}`,
    sql`update ${admin_log} set
      admin_id = replace(admin_id, ${userId}, ${pseudonym}), subject = replace(subject, ${userId}, ${pseudonym}),
      before = ${hidden(sql`before`, userId, email, pseudonym)}, after = ${hidden(sql`after`, userId, email, pseudonym)},
      reason = ${hidden(sql`reason`, userId, email, pseudonym)}
      where instr(admin_id || ' ' || subject || ' ' || before || ' ' || after || ' ' || reason, ${userId}) > 0
        or (${email} <> '' and instr(before || ' ' || after || ' ' || reason, ${email}) > 0)`,
    sql`delete from ${dev_mails} where ${email} <> '' and "to" = ${email}`,
  ];
}

const hidden = (column: SQL, userId: string, email: string, pseudonym: string): SQL =>
  // replace() with an empty word changes nothing.
  sql`replace(replace(${column}, ${userId}, ${pseudonym}), ${email}, ${pseudonym})`;
