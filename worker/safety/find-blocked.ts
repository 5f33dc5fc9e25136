import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { blocklist } from '#worker/db/schema-moderation.ts';
import { hostSuffixes } from './host-list.ts';

/** True if the blocklist contains this exact target, its host or a parent domain of its host. */
export async function isBlocked(db: Db, url: URL): Promise<boolean> {
  return (await findBlockedAmong(db, [url])).size > 0;
}

/**
 * Returns the hrefs of the targets that the blocklist contains, with one query for any number of
 * hosts.
 */
export async function findBlockedAmong(db: Db, urls: readonly URL[]): Promise<ReadonlySet<string>> {
  const hosts = new Map(urls.map((url) => [url.href, hostSuffixes(url.hostname)]));
  const rows = await db.all<{ kind: 'host' | 'target'; value: string }>(
    sql`select kind, value from ${blocklist}
      where (kind = 'host' and value in ${jsonList([...new Set([...hosts.values()].flat())])})
         or (kind = 'target' and value in ${jsonList([...hosts.keys()])})`,
  );
  const listed = new Set(rows.map((row) => `${row.kind} ${row.value}`));
  const isListed = (href: string): boolean =>
    listed.has(`target ${href}`) ||
    (hosts.get(href) ?? []).some((host) => listed.has(`host ${host}`));
  return new Set([...hosts.keys()].filter(isListed));
}
