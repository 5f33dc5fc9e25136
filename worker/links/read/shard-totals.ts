import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Sums } from '#worker/clicks/fold/counts.ts';

export type LinkTotals = Sums & {
  link_id: number;
  first_at: number | null;
  last_at: number | null;
};
type Sharded = { id: number; shard: number };

/**
 * SQL for a link's clicks, in a query that joins `link_totals`. For a link on another shard these
 * are the clicks of the last ranking (links/list/rank-links.ts); `withLiveClicks` updates them.
 */
export const clicksColumn = sql<number>`iif(${links.shard} = 0, coalesce(${link_totals.human}, 0), ${links.ranked_clicks})`;

/**
 * Returns the totals of those links whose clicks are on another shard, with one query per shard.
 * Throws if a query fails.
 */
export async function readShardTotals(
  db: Db,
  all: readonly Sharded[],
): Promise<ReadonlyMap<number, LinkTotals>> {
  const results = await Promise.all(
    [...byShard(all)].map(([shard, ids]) => readTotals(db, shard, ids)),
  );
  return new Map(results.flat().map((row) => [row.link_id, row]));
}

/**
 * Sets the clicks of these rows to the current numbers. Rows of a shard that cannot be read keep
 * those of the last ranking.
 */
export async function withLiveClicks<Row extends Sharded & { clicks: number }>(
  db: Db,
  rows: Row[],
): Promise<Row[]> {
  const shards = byShard(rows);
  if (shards.size === 0) return rows;
  const live = new Map<number, number>();
  await Promise.all(
    [...shards].map(async ([shard, ids]) => {
      try {
        for (const { link_id, human } of await readTotals(db, shard, ids)) live.set(link_id, human);
      } catch (error) {
        logEvent('shard_not_read', { shard, ...errorFacts(error) });
      }
    }),
  );
  for (const row of rows) row.clicks = live.get(row.id) ?? row.clicks;
  return rows;
}

function readTotals(db: Db, shard: number, ids: readonly number[]): Promise<LinkTotals[]> {
  return openShard(db, shard).all<LinkTotals>(
    sql`select link_id, human, bot, prefetch, visitors, first_at, last_at from ${link_totals} where link_id in ${jsonList(ids)}`,
  );
}

function byShard(all: readonly Sharded[]): Map<number, number[]> {
  const ids = new Map<number, number[]>();
  for (const { id, shard } of all) if (shard !== 0) getOrCreate(ids, shard, () => []).push(id);
  return ids;
}
