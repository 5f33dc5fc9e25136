import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { hasEdgeRecord } from './former-link.ts';

/**
 * True in SQL for a link that this batch has changed at `now`. A change by another batch in the
 * same millisecond is already in the outbox with its version.
 */
export const isChangedAt = (now: number): SQL =>
  sql`${links.updated_at} = ${now} and not exists (
    select 1 from ${link_outbox} where link_id = ${links.id} and version = ${links.version})`;

/**
 * Returns the statement that adds links to the outbox, because their edge records may be outdated.
 * It belongs *after* the change of the links, in the same batch, and `where` selects the changed
 * rows. Call `publishLinks` after the batch.
 */
export function addToOutbox(db: Db, where: SQL, now: number) {
  return db
    .insert(link_outbox)
    .select(
      db
        .select({
          link_id: links.id,
          version: links.version,
          queued_at: sql<number>`${now}`.as('queued_at'),
          attempts: sql<number>`0`.as('attempts'),
        })
        .from(links)
        .where(and(where, hasEdgeRecord)),
    )
    .onConflictDoUpdate({
      target: link_outbox.link_id,
      set: { version: sql`excluded.version`, queued_at: sql`excluded.queued_at`, attempts: sql`0` },
    });
}

export function addIdsToOutbox(db: Db, linkIds: number[], now: number) {
  return addToOutbox(db, inArray(links.id, jsonList(linkIds)), now);
}
