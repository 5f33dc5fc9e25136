import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { blocklist } from '#worker/db/schema-moderation.ts';
import { hostSuffixes } from './host-list.ts';
import type { Target } from './target.ts';

/**
 * Returns the hrefs of the targets that the blocklist contains: the exact target, its host or a
 * parent domain of its host. One query serves any number of hosts.
 */
export async function findBlocked(
  db: Db,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const hosts = new Map(targets.map(({ href, host }) => [href, hostSuffixes(host)]));
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
