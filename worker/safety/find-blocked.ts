import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { domain_hosts } from '#worker/db/schema-domains.ts';
import { blocklist } from '#worker/db/schema-moderation.ts';
import { hostSuffixes } from './host-list.ts';
import type { Target } from './target.ts';

type Row = { kind: 'host' | 'target' | 'domain'; value: string };
export type BlockedReason = 'on_blocklist' | 'own_host';
/** The reasons by href. */
export type Blocked = ReadonlyMap<string, BlockedReason>;

/**
 * Returns the hrefs of the targets that the blocklist contains (the exact target, its host or a
 * parent domain of its host), and of those on a host of a domain for short links. A host below such
 * a domain is its owner's own website. One query serves any number of hosts.
 */
export async function findBlocked(db: Db, targets: readonly Target[]): Promise<Blocked> {
  const suffixes = new Set(targets.flatMap(({ host }) => hostSuffixes(host)));
  const hrefs = new Set(targets.map(({ href }) => href));
  const hosts = new Set(targets.map(({ host }) => host));
  const rows = await db.all<Row>(
    sql`select kind, value from ${blocklist}
      where (kind = 'host' and value in ${jsonList([...suffixes])})
         or (kind = 'target' and value in ${jsonList([...hrefs])})
      union all select 'domain', host from ${domain_hosts} where host in ${jsonList([...hosts])}`,
  );
  const listed = new Set(rows.map((row) => `${row.kind} ${row.value}`));
  const reasonOf = ({ href, host }: Target): BlockedReason | null => {
    if (listed.has(`domain ${host}`)) return 'own_host';
    const names = [`target ${href}`, ...hostSuffixes(host).map((suffix) => `host ${suffix}`)];
    return names.some((name) => listed.has(name)) ? 'on_blocklist' : null;
  };
  return new Map(
    targets.flatMap((target) => {
      const reason = reasonOf(target);
      return reason === null ? [] : [[target.href, reason] as const];
    }),
  );
}
