import { inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema.ts';

/**
 * The statement that notes "these links' KV copies may be behind", to stand *after* the links' own change
 * in the same batch. `where` picks the rows of `links`, as they are after that change; where it finds none
 * (a refused insert) nothing is noted. Call `publishLinks` when the batch is through.
 */
export function noteForPublishing(db: Db, where: SQL, now: number) {
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
        .where(where),
    )
    .onConflictDoUpdate({
      target: link_outbox.link_id,
      set: { version: sql`excluded.version`, queued_at: sql`excluded.queued_at`, attempts: sql`0` },
    });
}

/** The same for links whose ids are known. */
export function noteIdsForPublishing(db: Db, linkIds: number[], now: number) {
  return noteForPublishing(db, inArray(links.id, sql`(select value from json_each(${JSON.stringify(linkIds)}))`), now);
}
