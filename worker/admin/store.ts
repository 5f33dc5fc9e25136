import {
  and,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { AdminQuery, Change } from '#contract/moderation/admin.ts';
import { DAY_MS } from '#contract/time.ts';
import { isHeld, selectHolds } from '#worker/edge/link-holds.ts';
import { selectLinkDomain } from '#worker/domains/link-domain.ts';
import { hasAnotherAdmin } from '#worker/users/user-state.ts';
import { clicksColumn, withLiveClicks } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { containsText, PAGE_LIMIT } from '#worker/db/paginate.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { subscriptions, users } from '#worker/db/schema-users.ts';
import { earlierCodesAsJson } from '#worker/edge/earlier-codes.ts';
import { isPremium } from '#worker/plans/plan-at.ts';

const RECENT_LINKS = 10;
const PERIOD_MS = 30 * DAY_MS;
/**
 * The most users or links that a page reads. A search for something rare continues on the next
 * page.
 */
export const SCAN_MAX = 5_000;

/** When a link was added. The `created_at` of an imported link comes from its file. */
const addedAt = sql<number>`coalesce(${links.imported_at}, ${links.created_at})`;
const linkColumns = {
  id: links.id,
  shard: links.shard,
  code: links.code,
  target: links.target,
  clicks: clicksColumn,
  created_at: addedAt.as('created_at'),
  status: links.status,
  user_id: links.user_id,
  holds: selectHolds(),
  domain: selectLinkDomain(),
};

const NOTHING: Change = { now: 0, before: 0 };

/**
 * Counts users, Premium users, links that are not deleted, and what is new. Reads each table or its
 * index once, however many clicks there were. Also returns the newest links.
 */
export async function readTotals(db: Db, now: number) {
  const countBetween = (createdAt: SQL, from: number, to: number) =>
    sql<number>`coalesce(sum(${createdAt} >= ${from} and ${createdAt} < ${to}), 0)`;
  // The aliases are needed: a batch returns columns by name, and both expressions have the same
  // text.
  const changes = (createdAt: SQL) => ({
    now: countBetween(createdAt, now - PERIOD_MS, Number.MAX_SAFE_INTEGER).as('now'),
    before: countBetween(createdAt, now - 2 * PERIOD_MS, now - PERIOD_MS).as('before'),
  });
  const [userCounts, premium, linkCounts, reportCounts, openReports, recent] = await db.batch([
    db.select({ n: count(), ...changes(sql`${users.created_at}`) }).from(users),
    db
      .select({ n: count() })
      .from(users)
      .innerJoin(subscriptions, eq(subscriptions.user_id, users.id))
      .where(isPremium(now)),
    db
      .select({
        n: sql<number>`coalesce(sum(${links.status} <> 'deleted'), 0)`,
        ...changes(addedAt),
      })
      .from(links)
      .where(isNull(links.earlier_code_of)),
    db
      .select(changes(sql`${abuse_reports.created_at}`))
      .from(abuse_reports)
      .where(
        // Names every status, because the index begins with it.
        and(
          inArray(abuse_reports.status, abuse_reports.status.enumValues),
          gte(abuse_reports.created_at, now - 2 * PERIOD_MS),
        ),
      ),
    db.select({ n: count() }).from(abuse_reports).where(eq(abuse_reports.status, 'open')),
    db
      .select(linkColumns)
      .from(links)
      .leftJoin(link_totals, eq(link_totals.link_id, links.id))
      .where(ne(links.status, 'deleted'))
      .orderBy(desc(links.id))
      .limit(RECENT_LINKS),
  ]);
  const changeOf = (row: Change | undefined): Change =>
    row === undefined ? NOTHING : { now: row.now, before: row.before };
  return {
    users: userCounts[0]?.n ?? 0,
    premium: premium[0]?.n ?? 0,
    links: linkCounts[0]?.n ?? 0,
    newUsers: changeOf(userCounts[0]),
    newLinks: changeOf(linkCounts[0]),
    newReports: changeOf(reportCounts[0]),
    openReports: openReports[0]?.n ?? 0,
    recent: await withLiveClicks(db, recent),
  };
}

export type UserCursor = { createdAt: number; id: string };
export type UserFilter = Pick<AdminQuery, 'q' | 'role' | 'plan' | 'suspended'>;
export type LinkFilter = Pick<AdminQuery, 'q' | 'status' | 'held' | 'owner'>;

/**
 * Returns up to PAGE_LIMIT links, newest first. A page reads at most SCAN_MAX links, and then
 * returns the id before which the next page continues. The links of one user have an index, so they
 * are read to the end. `q` is part of the code or of the target.
 */
export async function readUsers(db: Db, filter: UserFilter, after: UserCursor | null, now: number) {
  const { q, role, plan, suspended } = filter;
  const premium = sql`coalesce(${isPremium(now)}, 0)`;
  const conditions = [
    containsText(q, users.email, users.id),
    role && eq(users.role, role),
    plan && (plan === 'premium' ? premium : not(premium)),
    suspended && (suspended === 'yes' ? isNotNull(users.suspended_at) : isNull(users.suspended_at)),
  ].filter((condition) => condition !== undefined);
  const oldest = conditions.length === 0 ? 0 : await findScanEnd(db, after);
  const rows = await db
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
        ...conditions,
        gte(users.created_at, oldest),
        after === null
          ? undefined
          : sql`(${users.created_at}, ${users.id}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(users.created_at), desc(users.id))
    .limit(PAGE_LIMIT);
  return { rows, unread: oldest > 0 ? { createdAt: oldest, id: '' } : null };
}

/**
 * Returns when the oldest user that a page reads was created, from the index alone; 0 if the page
 * reaches the first user. A cursor without an id is after all users created in its millisecond.
 */
async function findScanEnd(db: Db, after: UserCursor | null): Promise<number> {
  const row = await db
    .select({ at: users.created_at })
    .from(users)
    .where(
      after === null
        ? undefined
        : lt(users.created_at, after.createdAt + (after.id === '' ? 0 : 1)),
    )
    .orderBy(desc(users.created_at))
    .limit(1)
    .offset(SCAN_MAX - 1)
    .get();
  return row?.at ?? 0;
}

/**
 * Returns up to PAGE_LIMIT links, newest first, and the id before which to continue if the page has
 * read SCAN_MAX of them. The links of one user are read to the end, because they have an index. `q`
 * is part of the code or of the target.
 */
export async function readLinkPage(
  db: Db,
  { q, status, held, owner }: LinkFilter,
  beforeId: number | null,
) {
  const end = beforeId ?? (await readEndOfIds(db));
  const start = owner === undefined || owner === 'visitor' ? Math.max(0, end - SCAN_MAX) : 0;
  const rows = await db
    .select({ ...linkColumns, user_email: sql<string>`coalesce(${users.email}, '')` })
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    .leftJoin(users, eq(users.id, links.user_id))
    .where(
      and(
        lt(links.id, end),
        gte(links.id, start),
        isNull(links.earlier_code_of),
        containsText(q, links.code, links.target, earlierCodesAsJson),
        status && (status === 'active' ? isActive() : eq(links.status, status)),
        held && (held === 'yes' ? isHeld() : not(isHeld())),
        owner === undefined
          ? undefined
          : owner === 'visitor'
            ? isNull(links.user_id)
            : eq(links.user_id, owner),
      ),
    )
    .orderBy(desc(links.id))
    .limit(PAGE_LIMIT);
  return { rows: await withLiveClicks(db, rows), unread: start > 1 ? start : null };
}

/** One more than the highest id. */
async function readEndOfIds(db: Db): Promise<number> {
  const row = await db.select({ id: links.id }).from(links).orderBy(desc(links.id)).limit(1).get();
  return (row?.id ?? 0) + 1;
}

/** The user's role as JSON, for the audit log. */
export function roleFacts(id: string): SQL {
  return sql`(select json_object('role', role) from ${users} where id = ${id})`;
}
