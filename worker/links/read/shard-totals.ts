import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { jsonList } from '#worker/db/json-rows.ts';
import type { Sums } from '#worker/clicks/fold/counts.ts';

export type LinkTotals = Sums & {
  link_id: number;
  first_at: number | null;
  last_at: number | null;
};
type Sharded = { id: number; shard: number };

/**
 * A link's clicks in SQL that joins `link_totals`. The main database knows those of a link on
 * another shard as of the last hour (links/list/rank-links.ts); `withLiveClicks` brings them up to
 * date.
 */
export const clicksColumn = sql<number>`iif(${links.shard} = 0, coalesce(${link_totals.human}, 0), ${links.ranked_clicks})`;

/**
 * The totals of those links whose clicks are in another database: a statement for each of these
 * databases. Throws when one fails.
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
 * The rows of a page with the clicks of this moment. Where a database fails they keep those of the
 * last hour.
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
