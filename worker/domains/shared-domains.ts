import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { Domain } from '#contract/domains.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { displayHost } from '#worker/safety/lookalike.ts';

type Row = {
  id: DomainId;
  name: string;
  status: 'active' | 'suspended';
  suspended_reason: string | null;
  root_url: string;
  not_found_url: string;
  created_at: number;
};

/** The operator's domains whose hosts SHORT_HOSTS names now, by name. */
export async function readSharedDomains(db: Db, shared: ReadonlySet<string>): Promise<Row[]> {
  if (shared.size === 0) return [];
  const rows =
    await db.all<Row>(sql`select id, name, status, suspended_reason, root_url, not_found_url,
      ${domains}.created_at as created_at
    from ${domains} cross join ${domain_hosts} on ${domain_hosts}.domain_id = ${domains}.id
    where owner_id = '' and status <> 'deleted' order by name`);
  return rows.filter(({ name }) => shared.has(name));
}

/** Returns these domains as members see them. */
export async function describeSharedDomains(
  db: Db,
  shared: ReadonlySet<string>,
): Promise<Domain[]> {
  const rows = await readSharedDomains(db, shared);
  return rows.map(({ name, status, suspended_reason, root_url, not_found_url, created_at }) => ({
    name,
    displayName: displayHost(name),
    isShared: true,
    state: status,
    fault: null,
    suspendedReason: status === 'suspended' ? (suspended_reason ?? '') : null,
    records: [],
    rootUrl: root_url,
    notFoundUrl: not_found_url,
    createdAt: new Date(created_at).toISOString(),
    checkedAt: null,
    offeredUntil: null,
  }));
}
