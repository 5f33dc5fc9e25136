import type { Db } from '#worker/db/client.ts';
import { hostSuffixes } from './hosts.ts';

export type Blocked = { kind: 'host' | 'target'; value: string; reason: string };

/**
 * The blocklist entry that forbids this target, or null: its host or any parent domain of it, or exactly this target.
 * One query, whatever the host's depth.
 */
export async function findBlocked(db: Db, url: URL): Promise<Blocked | null> {
  const row = await db.$client
    .prepare(
      `SELECT kind, value, reason FROM blocklist
       WHERE (kind = 'host' AND value IN (SELECT value FROM json_each(?1))) OR (kind = 'target' AND value = ?2) LIMIT 1`,
    )
    .bind(JSON.stringify(hostSuffixes(url.hostname)), url.href)
    .first<Blocked>();
  return row ?? null;
}
