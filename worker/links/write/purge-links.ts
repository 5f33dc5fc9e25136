import { sql } from 'drizzle-orm';
import { jsonList, runBatch, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { link_imports } from '#worker/db/schema-link-imports.ts';
import { links } from '#worker/db/schema-links.ts';
import { abuse_reports } from '#worker/db/schema-moderation.ts';
import { openShard } from '#worker/db/shards.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { isHeld } from '#worker/edge/link-holds.ts';
import { isInTrash } from '#worker/links/list/list-trash.ts';
import { clearNotes, clearTarget } from '#worker/links/settings/clear-link.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import type { LinkRefusal } from '#worker/messages/links.ts';
import { NOT_FOUND } from './change-link.ts';

type PurgeOutcome = {
  code: string | null;
  error: LinkRefusal<'not_found' | 'not_purgeable'> | null;
};

const NOT_PURGEABLE = { ok: false, reason: 'not_purgeable' } as const;

/**
 * True in SQL for a link that moderation has acted on or holds. Open reports do not count: anybody
 * can send one, and the owner would learn of it.
 */
export const isEvidence = sql`(${isHeld()} or exists (
  select 1 from ${abuse_reports} where link_id = ${links}.id and status = 'acted'))`;

/**
 * Deletes links in the member's trash for good, in one atomic batch: the target, what the owner
 * noted, the tags and the history. The row stays, so that nobody else gets the code and counts keep
 * adding up. `forgetCounts` gets the names of the objects that counted clicks for a limit. Returns an
 * outcome for each id, in order. Words were deleted when the link was.
 */
export async function purgeLinks(
  db: Db,
  { userId, ids, now }: { userId: string; ids: readonly number[]; now: number },
  forgetCounts: (limitIds: readonly string[]) => Promise<unknown>,
): Promise<PurgeOutcome[]> {
  const rows = await db.all<{
    id: number;
    code: string;
    shard: number;
    limit_id: string;
    is_evidence: number;
  }>(
    sql`select id, code, shard, limit_id, ${isEvidence} as is_evidence from ${links}
      where ${isInTrash(userId, now)} and id in ${jsonList(ids)}`,
  );
  const wanted = jsonList(rows.flatMap((row) => (row.is_evidence === 0 ? [row.id] : [])));
  // A link in the trash has a target, so one without is deleted for good.
  const isPurged = sql`user_id = ${userId} and status = 'deleted' and target = '' and id in ${wanted}`;
  const purged = sql`(select id from ${links} where ${isPurged})`;
  const { found } = await runNamedBatch(db, {
    cleared: sql`update ${links} set ${clearTarget()}, ${clearNotes()}, disabled_reason = null, recheck_at = null
      where ${isInTrash(userId, now)} and id in ${wanted} and not ${isEvidence}`,
    details: [
      sql`delete from ${link_changes} where link_id in ${purged}`,
      sql`delete from ${link_tags} where link_id in ${purged}`,
      sql`delete from ${link_imports} where user_id = ${userId} and link_id in ${purged}`,
    ],
    found: sql<{ id: number }>`select id from ${links} where ${isPurged}`,
  });
  const done = new Set(found.rows.map(({ id }) => id));
  const purgedRows = rows.filter(({ id }) => done.has(id));
  await deleteRecentClicks(db, purgedRows);
  await forgetCounts(purgedRows.flatMap(({ limit_id: name }) => (name === '' ? [] : name)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) return { code: null, error: NOT_FOUND };
    return { code: row.code, error: done.has(id) ? null : NOT_PURGEABLE };
  });
}

/**
 * Deletes the clicks that are stored one by one. A database that cannot be reached deletes them
 * when they are too old (clicks/maintenance/prune-recent-clicks.ts).
 */
async function deleteRecentClicks(
  db: Db,
  purged: readonly { id: number; shard: number }[],
): Promise<void> {
  const shards = new Map<number, number[]>();
  for (const { id, shard } of purged) getOrCreate(shards, shard, () => []).push(id);
  await Promise.all(
    [...shards].map(async ([shard, ids]) => {
      try {
        await runBatch(openShard(db, shard), [
          sql`update ${link_totals} set recent = '[]', visitor_sets = '{}', rev = rev + 1
            where link_id in ${jsonList(ids)}`,
        ]);
      } catch (error) {
        logEvent('recent_clicks_not_deleted', { shard, ...errorFacts(error) });
      }
    }),
  );
}
