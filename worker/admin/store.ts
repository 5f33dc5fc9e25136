import { and, count, desc, eq, lt, ne, sql, type SQL } from 'drizzle-orm';

import { selectHolds } from '#worker/abuse/link-holds.ts';
import { hasAnotherAdmin } from '#worker/account/user-state.ts';
import type { Db } from '#worker/db/client.ts';
import { containsText } from '#worker/db/contains-text.ts';
import { PAGE_LIMIT } from '#worker/db/paginate.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links, subscriptions, users } from '#worker/db/schema.ts';
import { isPremium } from '#worker/plans/plan-at.ts';

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
  holds: selectHolds(),
};

/** Counts users, Premium users and links that are not deleted, and returns the newest of these links. */
export async function readTotals(db: Db, now: number) {
  const [people, premium, existing, recent] = await db.batch([
    db.select({ n: count() }).from(users),
    db.select({ n: count() }).from(users).innerJoin(subscriptions, eq(subscriptions.user_id, users.id)).where(isPremium(now)),
    db.select({ n: count() }).from(links).where(ne(links.status, 'deleted')),
    db
      .select(linkColumns)
      .from(links)
      .leftJoin(link_totals, eq(link_totals.link_id, links.id))
      .where(ne(links.status, 'deleted'))
      .orderBy(desc(links.id))
      .limit(RECENT_LINKS),
  ]);
  return { users: people[0]?.n ?? 0, premium: premium[0]?.n ?? 0, links: existing[0]?.n ?? 0, recent };
}

export type UserCursor = { createdAt: number; id: string };

/**
 * Returns up to PAGE_LIMIT users, newest first. `links` counts all links that a user created, because a deleted link keeps its
 * row. `q`: part of the email or of the id.
 */
export function readUsers(db: Db, q: string, after: UserCursor | null) {
  return db
    .select({
      id: users.id,
      email: users.email,
      role: users.role,
      last_admin: sql<number>`${users.role} = 'admin' and not ${hasAnotherAdmin(users.id)}`,
      suspended_at: users.suspended_at,
      created_at: users.created_at,
      subscription: subscriptions,
      links: sql<number>`(select count(*) from ${links} where ${links.user_id} = ${users.id})`,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.user_id, users.id))
    .where(
      and(
        containsText(q, users.email, users.id),
        after === null ? undefined : sql`(${users.created_at}, ${users.id}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(users.created_at), desc(users.id))
    .limit(PAGE_LIMIT);
}

/** Returns up to PAGE_LIMIT links, newest first. `q`: part of the code or of the target. */
export function readLinks(db: Db, q: string, beforeId: number | null) {
  return db
    .select(linkColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .where(and(containsText(q, links.code, links.target), beforeId === null ? undefined : lt(links.id, beforeId)))
    .orderBy(desc(links.id))
    .limit(PAGE_LIMIT);
}

/** The user's role as JSON, for the audit log. */
export function roleFacts(id: string): SQL {
  return sql`(select json_object('role', role) from ${users} where id = ${id})`;
}
