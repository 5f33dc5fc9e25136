import { and, eq, sql, type SQL } from 'drizzle-orm';
import { LIVE_ORDER_MAX_LINKS, LIVE_TOTALS_MAX_LINKS, RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { withLiveClicks } from '#worker/links/read/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { account_totals } from '#worker/db/schema-accounts.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import type { WaitUntil } from '#worker/redirect/shared-timeout.ts';

/**
 * `active` counts the links with clicks (docs/decisions.md#d22). `countedAt` is in ms; null if they
 * were counted for this request.
 */
export type AccountTotals = {
  links: number;
  clicks: number;
  active: number;
  countedAt: number | null;
};

/**
 * Returns the totals over the member's links that are not deleted. Those of a large account are up
 * to RANK_EVERY_HOURS old. The first request after that still gets the old totals, and counts again
 * after its response.
 */
export async function readAccountTotals(
  db: Db,
  userId: string,
  now: number,
  waitUntil: WaitUntil,
): Promise<AccountTotals> {
  const stored = await db
    .select()
    .from(account_totals)
    .where(eq(account_totals.user_id, userId))
    .get();
  if (stored === undefined || stored.counted_at === 0 || stored.links <= LIVE_TOTALS_MAX_LINKS) {
    const live = await countLinks(db, userId, 'live');
    if (live.links <= LIVE_TOTALS_MAX_LINKS) return { ...live, countedAt: null };
    return storeTotals(db, userId, now);
  }
  if (stored.counted_at <= now - RANK_EVERY_HOURS * HOUR_MS)
    waitUntil(storeTotals(db, userId, now));
  return {
    links: stored.links,
    clicks: stored.clicks,
    active: stored.active,
    countedAt: stored.counted_at,
  };
}

/** True in SQL if the account is known to have too many links to order them by live clicks. */
export const isLargeAccount = (userId: SQL): SQL =>
  sql`exists (select 1 from ${account_totals} where user_id = ${userId} and links > ${LIVE_ORDER_MAX_LINKS})`;

/**
 * Returns the statement that adds accounts with many links to `account_totals`. It checks the
 * owners of links with an id above `after`; 0 checks all accounts. Their totals are counted when a
 * request needs them.
 */
export function recordLargeAccounts(after: number): SQL {
  const owners = sql`(select l.user_id from ${links} l where l.id > ${after} and l.user_id is not null
    and not ${isLargeAccount(sql`l.user_id`)})`;
  return sql`insert into ${account_totals} (user_id, links, clicks, active, counted_at)
    select user_id, count(*), 0, 0, 0 from ${links} where ${after === 0 ? sql`user_id is not null` : sql`user_id in ${owners}`}
      and status <> 'deleted' group by user_id having count(*) > ${LIVE_ORDER_MAX_LINKS}
    on conflict do update set links = excluded.links where account_totals.links <= ${LIVE_ORDER_MAX_LINKS}`;
}

async function storeTotals(db: Db, userId: string, now: number): Promise<AccountTotals> {
  const totals = { ...(await countLinks(db, userId, 'ranked')), counted_at: now };
  await db
    .insert(account_totals)
    .values({ user_id: userId, ...totals })
    .onConflictDoUpdate({ target: account_totals.user_id, set: totals });
  const { counted_at: countedAt, ...figures } = totals;
  return { ...figures, countedAt };
}

/**
 * Counts links and their clicks. `live` reads the clicks of every shard, and counts at most
 * LIVE_TOTALS_MAX_LINKS + 1 links; `ranked` uses the last ranking for links on other shards.
 */
async function countLinks(
  db: Db,
  userId: string,
  clicksOfOtherShards: 'live' | 'ranked',
): Promise<Omit<AccountTotals, 'countedAt'>> {
  const isLive = clicksOfOtherShards === 'live';
  const select = db
    .select({ id: links.id, shard: links.shard, clicks: links.ranked_clicks })
    .from(links)
    .where(
      and(
        eq(links.user_id, userId),
        sql`${links.archived} in (0, 1) and ${links.status} <> 'deleted'`,
      ),
    )
    .limit(isLive ? LIVE_TOTALS_MAX_LINKS + 1 : Number.MAX_SAFE_INTEGER);
  const own = select.as('own');
  const row = await db
    .select({
      links: sql<number>`count(*)`,
      clicks: sql<number>`coalesce(sum(${link_totals.human}), 0)`,
      active: sql<number>`count(case when ${link_totals.human} > 0 then 1 end)`,
    })
    .from(own)
    .leftJoin(link_totals, eq(link_totals.link_id, own.id))
    .get();
  const totals = row ?? { links: 0, clicks: 0, active: 0 };
  if (db.$shards.others.size === 0) return totals;
  const onOtherShards = (await select).filter(({ shard }) => shard !== 0);
  for (const { clicks } of isLive ? await withLiveClicks(db, onOtherShards) : onOtherShards) {
    totals.clicks += clicks;
    if (clicks > 0) totals.active += 1;
  }
  return totals;
}
