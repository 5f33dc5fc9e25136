import { and, count, desc, eq, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { PAGE_SIZE } from '#contract/limits.ts';
import { holdsOf } from '#worker/abuse/holds-of.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { admin_log, links, subscriptions, users } from '#worker/db/schema.ts';

const RECENT_LINKS = 10;
const clicks = sql<number>`coalesce(${link_totals.human}, 0)`;
const linkColumns = {
  id: links.id,
  code: links.code,
  target: links.target,
  clicks,
  created_at: links.created_at,
  status: links.status,
  user_id: links.user_id,
  holds: holdsOf(),
};

/** Where `q` is found in one of `columns`, without case (ASCII). LIKE would read `%` and `_` and refuse long words. */
function found(q: string, ...columns: SQLiteColumn[]): SQL | undefined {
  return q === '' ? undefined : or(...columns.map((column) => sql`instr(lower(${column}), lower(${q})) > 0`));
}

/** People by plan (whoever has no subscription row is on the free plan), links that are not deleted, and the newest of them. */
export async function readTotals(db: Db) {
  const [people, premium, made, recent] = await db.batch([
    db.select({ n: count() }).from(users),
    db
      .select({ n: count() })
      .from(users)
      .innerJoin(subscriptions, eq(subscriptions.user_id, users.id))
      .where(eq(subscriptions.plan, 'premium')),
    db.select({ n: count() }).from(links).where(ne(links.status, 'deleted')),
    db
      .select(linkColumns)
      .from(links)
      .leftJoin(link_totals, eq(link_totals.link_id, links.id))
      .where(ne(links.status, 'deleted'))
      .orderBy(desc(links.id))
      .limit(RECENT_LINKS),
  ]);
  return { users: people[0]?.n ?? 0, premium: premium[0]?.n ?? 0, links: made[0]?.n ?? 0, recent };
}

export type UserCursor = { createdAt: number; id: string };

/** One page of people, newest first, plus one row that tells whether there are more. `q`: part of the address or of the id. */
export function listUsers(db: Db, q: string, after: UserCursor | null) {
  return db
    .select({
      id: users.id,
      email: users.email,
      role: users.role,
      created_at: users.created_at,
      suspended_at: users.suspended_at,
      subscription: subscriptions,
      links: sql<number>`(select count(*) from ${links} where ${links.user_id} = ${users.id} and ${links.status} <> 'deleted')`,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.user_id, users.id))
    .where(
      and(
        found(q, users.email, users.id),
        after === null ? undefined : sql`(${users.created_at}, ${users.id}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(users.created_at), desc(users.id))
    .limit(PAGE_SIZE + 1);
}

/** One page of links, newest first, plus one row. `q`: part of the code or of the target. */
export function listLinks(db: Db, q: string, beforeId: number | null) {
  return db
    .select(linkColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(found(q, links.code, links.target), beforeId === null ? undefined : lt(links.id, beforeId)))
    .orderBy(desc(links.id))
    .limit(PAGE_SIZE + 1);
}

/** One page of the admin log, newest first, plus one row. `q`: part of the action, of the subject or of the reason. */
export function listLog(db: Db, q: string, beforeId: number | null) {
  return db
    .select({ entry: admin_log, email: users.email })
    .from(admin_log)
    .leftJoin(users, eq(users.id, admin_log.admin_id))
    .where(
      and(
        found(q, admin_log.action, admin_log.subject, admin_log.reason),
        beforeId === null ? undefined : lt(admin_log.id, beforeId),
      ),
    )
    .orderBy(desc(admin_log.id))
    .limit(PAGE_SIZE + 1);
}

/** True in SQL for a person who is known. */
export function userExists(id: string): SQL {
  return sql`exists (select 1 from ${users} where ${users.id} = ${id})`;
}

/** The role as JSON, for the log. */
export function roleFacts(id: string): SQL {
  return sql`(select json_object('role', role) from ${users} where id = ${id})`;
}

/** Plan and usage as JSON, for the log. */
export function planFacts(id: string): SQL {
  return sql`(select json_object('plan_type', plan, 'monthly_limit', monthly_limit, 'current_usage', current_usage) from ${subscriptions} where user_id = ${id})`;
}
