import { sql, type SQL } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { links } from '#worker/db/schema-links.ts';
import { normalizeHost } from '#worker/safety/host-list.ts';

export type DomainChange = {
  adminId: string;
  host: string;
  action: 'disable' | 'enable';
  reason: string;
  now: number;
  closing: Closing;
};

/** The statements that close the report which led to an action, for the same batch. */
export type Closing = (when: SQL) => Statement[];

/** `links` is how many links of the host stopped working or work again. */
export type DomainModeration =
  | { ok: true; hosts: string[]; links: number }
  | { ok: false; reason: 'unknown_domain' | 'shared_domain' };

/**
 * Suspends the domain of a host, so that everything on it answers 410, or restores it. Links keep
 * their own state. The caller publishes `hosts`. A host of the operator is shared by all
 * members, and ends with the setting SHORT_HOSTS.
 */
export async function moderateDomain(db: Db, change: DomainChange): Promise<DomainModeration> {
  const { adminId, action, reason, now, closing } = change;
  const check = normalizeHost(change.host);
  const host = check.ok ? check.host : '';
  const [status, before] = action === 'disable' ? ['suspended', 'active'] : ['active', 'suspended'];
  // A suspended domain whose account was deleted has its name only.
  const ofHost = sql`${domains}.id = coalesce((select domain_id from ${domain_hosts} where host = ${host}),
    (select id from ${domains} as alone where alone.name = ${host} and alone.status = 'suspended' limit 1))`;
  const changes = sql`${ofHost} and ${domains}.owner_id <> '' and ${domains}.status = ${before}`;
  const isChanged = sql`exists (select 1 from ${domains} where ${changes})`;
  const count = sql`(select count(*) from ${links} where domain_id = (select id from ${domains} where ${ofHost})
    and domain_id <> '' and status not in ('disabled', 'deleted'))`;
  const { found } = await runNamedBatch(db, {
    recorded: recordAction(
      {
        at: now,
        adminId,
        action: action === 'disable' ? 'suspend_domain' : 'restore_domain',
        subject: `domain:${host}`,
        after: sql`json_object('links', ${count})`,
        reason,
      },
      isChanged,
    ),
    // A second report about a domain that is suspended already closes, too.
    closed: closing(sql`exists (select 1 from ${domains} where ${ofHost} and owner_id <> '')`),
    found: sql<{ owner_id: string; hosts: string; links: number }>`
      select owner_id, (select json_group_array(host) from ${domain_hosts} where domain_id = id) as hosts,
        ${count} as links from ${domains} where ${ofHost}`,
    updated: sql`update ${domains} set status = iif(owner_id = 'deleted', 'deleted', ${status}),
      suspended_reason = ${action === 'disable' ? reason : null}, version = version + 1
      where ${changes}`,
  });
  const [domain] = found.rows;
  if (domain === undefined) return { ok: false, reason: 'unknown_domain' };
  if (domain.owner_id === '') return { ok: false, reason: 'shared_domain' };
  return { ok: true, hosts: JSON.parse(domain.hosts), links: domain.links };
}
