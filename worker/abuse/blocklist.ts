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

/** Which of these targets the blocklist forbids, by their hrefs. One query for all. */
export async function findBlockedAmong(db: Db, urls: readonly URL[]): Promise<ReadonlySet<string>> {
  const hosts = new Map(urls.map((url) => [url.href, hostSuffixes(url.hostname)]));
  const { results } = await db.$client
    .prepare(
      `SELECT kind, value FROM blocklist
       WHERE (kind = 'host' AND value IN (SELECT value FROM json_each(?1)))
          OR (kind = 'target' AND value IN (SELECT value FROM json_each(?2)))`,
    )
    .bind(JSON.stringify([...new Set([...hosts.values()].flat())]), JSON.stringify([...hosts.keys()]))
    .all<{ kind: 'host' | 'target'; value: string }>();
  const listed = new Set(results.map((row) => `${row.kind} ${row.value}`));
  const isListed = (href: string): boolean =>
    listed.has(`target ${href}`) || (hosts.get(href) ?? []).some((host) => listed.has(`host ${host}`));
  return new Set([...hosts.keys()].filter(isListed));
}
