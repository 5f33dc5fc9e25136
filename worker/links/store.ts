import type { Db } from '#worker/db/client.ts';

/** What a new link is made of. Times in ms. */
export type NewLink = {
  code: string;
  isAlias: boolean;
  target: string;
  targetHost: string;
  userId: string | null;
  expiresAt: number | null;
};

export type InsertOutcome =
  | { ok: true; id: number; allowance: Record<string, unknown> | undefined }
  | { ok: false; reason: 'refused' }
  | { ok: false; reason: 'code_taken' };

/**
 * Inserts a link in one atomic batch: `allowance` (statements of which the last changes one row if the link is allowed and
 * none if not), the link, its outbox row. Either all of it happens or nothing, so a taken code uses nothing up.
 * `allowance` in the result is the row which the last allowance statement returned.
 */
export async function insertLink(
  db: Db,
  allowance: readonly D1PreparedStatement[],
  link: NewLink,
  now: number,
): Promise<InsertOutcome> {
  const insert = db.$client
    .prepare(
      `INSERT INTO links (code, is_alias, target, target_host, user_id, expires_at, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 WHERE changes() = 1 RETURNING id`,
    )
    .bind(link.code, link.isAlias ? 1 : 0, link.target, link.targetHost, link.userId, link.expiresAt, now);
  const outbox = db.$client
    .prepare(
      `INSERT INTO link_outbox (link_id, version, queued_at)
       SELECT id, version, ?1 FROM links WHERE changes() = 1 AND id = last_insert_rowid()`,
    )
    .bind(now);
  try {
    const results = await db.$client.batch<Record<string, unknown>>([...allowance, insert, outbox]);
    const id = results[allowance.length]?.results[0]?.['id'];
    if (typeof id !== 'number') return { ok: false, reason: 'refused' };
    return { ok: true, id, allowance: results[allowance.length - 1]?.results[0] };
  } catch (error) {
    // Both unique indexes of links (the exact code; an alias without regard to case) say it with these words.
    if (error instanceof Error && /UNIQUE constraint failed: (links\.|index 'links_)/.test(error.message))
      return { ok: false, reason: 'code_taken' };
    throw error;
  }
}
