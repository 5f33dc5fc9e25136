import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard } from '#worker/db/shards.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { foldWindows, sumFolds, type FoldResult } from '#worker/clicks/fold/fold-windows.ts';

/**
 * Runs `foldWindows` in each database with the clicks that it holds. Every database counts its part
 * of a window exactly once, under the window's id, so a window can be folded again if one database
 * has failed. A link keeps its shard, so every delivery of a window is split in the same way.
 * Throws if one of the databases does, after all have finished.
 */
export async function foldByShard(
  db: Db,
  windows: readonly ClickWindow[],
  now: number,
): Promise<FoldResult> {
  if (db.$shards.others.size === 0) return foldWindows(db.$client, windows, now);
  const elsewhere = await readElsewhere(db, windows);
  const parts = splitByShard(windows, elsewhere);
  const results = await Promise.allSettled(
    [...parts].map(async ([shard, shardWindows]) => {
      if (shard === 0) return foldWindows(db.$client, shardWindows, now);
      const targets = new Map([...elsewhere].map(([id, { target }]) => [id, target]));
      return foldWindows(openShard(db, shard).$client, shardWindows, now, { shard, targets });
    }),
  );
  return sumFolds(
    results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }),
  );
}

type Elsewhere = ReadonlyMap<number, { shard: number; target: string }>;

/** The shards and targets of the clicked links whose clicks are not in the main database. */
async function readElsewhere(db: Db, windows: readonly ClickWindow[]): Promise<Elsewhere> {
  const ids = [...new Set(windows.flatMap(({ e }) => e.map(({ l }) => l)))];
  const rows = await db.all<{ id: number; shard: number; target: string }>(
    sql`select l.id, l.shard, l.target from ${jsonList(ids)} j cross join ${links} l on l.id = j.value where l.shard <> 0`,
  );
  return new Map(rows.map(({ id, ...link }) => [id, link]));
}

/** Splits windows by shard. Clicks on unknown links go to the main database, which drops them. */
function splitByShard(
  windows: readonly ClickWindow[],
  elsewhere: Elsewhere,
): Map<number, ClickWindow[]> {
  const parts = new Map<number, ClickWindow[]>();
  for (const window of windows)
    for (const [shard, e] of Map.groupBy(window.e, ({ l }) => elsewhere.get(l)?.shard ?? 0))
      getOrCreate(parts, shard, () => []).push({ ...window, e });
  return parts;
}
