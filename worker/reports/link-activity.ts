import { sql } from 'drizzle-orm';
import { ACTIVITY_DAYS } from '#contract/links/link-activity.ts';
import { dayNumber } from '#contract/reports/periods.ts';
import { storedFigure } from '#worker/clicks/fold/counts-codec.ts';
import { daysTableOf } from '#worker/clicks/fold/tables.ts';
import { jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { errorFacts, logEvent } from '#worker/log.ts';

/** Clicks by people on a link. `days` are those of the last ACTIVITY_DAYS, the oldest first. */
export type Activity = { id: number; clicks: number; days: number[]; lastClickAt: number | null };

/**
 * Returns the latest clicks of the member's links among `ids`. It reads the link, its totals and
 * its last days with clicks: with the list of ids at most 15 rows a link. Links of a shard that
 * cannot be read are left out.
 */
export async function readLinkActivity(
  db: Db,
  userId: string,
  ids: readonly number[],
  now: number,
): Promise<Activity[]> {
  const own = await db.all<{ id: number; shard: number }>(
    sql`select id, shard from ${links}
      where id in ${jsonList(ids)} and +user_id = ${userId} and status <> 'deleted'`,
  );
  const parts = await Promise.all(
    [...Map.groupBy(own, ({ shard }) => shard)].map(async ([shard, some]) => {
      const wanted = some.map(({ id }) => id);
      try {
        return await readOnShard(openShard(db, shard), wanted, now);
      } catch (error) {
        if (shard === 0) throw error;
        logEvent('shard_not_read', { shard, ...errorFacts(error) });
        return [];
      }
    }),
  );
  return parts.flat();
}

async function readOnShard(db: Db, ids: readonly number[], now: number): Promise<Activity[]> {
  const today = dayNumber(now);
  const first = today - ACTIVITY_DAYS + 1;
  const human = sql.raw(storedFigure('human'));
  // Two tables where the week began in another period.
  const tables = new Set([daysTableOf(first, now), daysTableOf(today, now)]);
  type Day = { link_id: number; day: number; clicks: number };
  const read = await runNamedBatch(db, {
    totals: sql<{ link_id: number; human: number; last_at: number | null } & Day>`select link_id,
      human, last_at, day, ${human} as clicks from ${link_totals} where link_id in ${jsonList(ids)}`,
    days: [...tables].map(
      (table) => sql<Day>`select link_id, day, ${human} as clicks from ${sql.raw(table)}
        where link_id in ${jsonList(ids)} and day >= ${first}`,
    ),
  });
  const byLink = Map.groupBy(
    [...read.days.rows, ...read.totals.rows],
    ({ link_id: id }: Day) => id,
  );
  const totals = new Map(read.totals.rows.map((row) => [row.link_id, row]));
  return ids.map((id): Activity => {
    const days = Array.from({ length: ACTIVITY_DAYS }, () => 0);
    for (const { day, clicks } of byLink.get(id) ?? [])
      if (day >= first && day <= today) days[day - first] = (days[day - first] ?? 0) + clicks;
    const { human: clicks = 0, last_at: lastAt = null } = totals.get(id) ?? {};
    return { id, clicks, days, lastClickAt: lastAt };
  });
}
