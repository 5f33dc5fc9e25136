import { and, eq, sql } from 'drizzle-orm';
import { LIVE_TOTALS_MAX_LINKS, RANK_EVERY_HOURS } from '#contract/limits.ts';
import { HOUR_MS } from '#contract/time.ts';
import { withLiveClicks } from '#worker/clicks/shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { account_totals, links } from '#worker/db/schema.ts';

/** `active` links have more than 0 clicks (docs/decisions.md#d22). `countedAt` in ms; null for figures of this moment. */
export type Totals = { links: number; clicks: number; active: number; countedAt: number | null };

/**
 * Totals over the member's links that are not deleted. In an account with many links they are as old as RANK_EVERY_HOURS: the
 * first request after that gets the old ones and counts again after its response.
 */
export async function readAccountTotals(
  db: Db,
  userId: string,
  now: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Totals> {
  const stored = await db.select().from(account_totals).where(eq(account_totals.user_id, userId)).get();
  if (stored === undefined || stored.links <= LIVE_TOTALS_MAX_LINKS) {
    const live = await countLinks(db, userId, LIVE_TOTALS_MAX_LINKS + 1);
    if (live.links <= LIVE_TOTALS_MAX_LINKS) return { ...live, countedAt: null };
    return storeTotals(db, userId, now);
  }
  if (stored.counted_at <= now - RANK_EVERY_HOURS * HOUR_MS) waitUntil(storeTotals(db, userId, now));
  return { links: stored.links, clicks: stored.clicks, active: stored.active, countedAt: stored.counted_at };
}

async function storeTotals(db: Db, userId: string, now: number): Promise<Totals> {
  const totals = { ...(await countLinks(db, userId, Number.MAX_SAFE_INTEGER)), counted_at: now };
  await db
    .insert(account_totals)
    .values({ user_id: userId, ...totals })
    .onConflictDoUpdate({ target: account_totals.user_id, set: totals });
  const { counted_at: countedAt, ...figures } = totals;
  return { ...figures, countedAt };
}

async function countLinks(db: Db, userId: string, limit: number): Promise<Omit<Totals, 'countedAt'>> {
  const select = db
    .select({ id: links.id, shard: links.shard, clicks: links.ranked_clicks })
    .from(links)
    .where(and(eq(links.user_id, userId), sql`${links.archived} in (0, 1) and ${links.status} <> 'deleted'`))
    .limit(limit);
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
  const elsewhere = (await select).filter(({ shard }) => shard !== 0);
  // Those of many links are not brought up to date each time either.
  for (const { clicks } of limit > LIVE_TOTALS_MAX_LINKS + 1 ? elsewhere : await withLiveClicks(db, elsewhere)) {
    totals.clicks += clicks;
    if (clicks > 0) totals.active += 1;
  }
  return totals;
}
