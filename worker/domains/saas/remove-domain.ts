import { sql, type SQL } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  domain_claims,
  domain_hosts,
  domain_removals,
  domain_transfers,
  domains,
} from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { isNamed } from './check-domain.ts';

export type RemovalResult =
  | { ok: true }
  | { ok: false; reason: 'unknown_domain' | 'domain_suspended' | 'name_differs' };

/**
 * Deletes a domain of a member, or a claim. Its links stay in the account and stop, and its
 * hostname is deleted at the platform by a job. A suspended domain stays, because its owner could
 * otherwise add its host again. `typed` is the name as the person repeats it.
 */
export async function removeDomain(
  db: Db,
  ownerId: string,
  { host, typed }: { host: string; typed: string },
  now: number,
): Promise<RemovalResult> {
  if (!(await isNamed(db, ownerId, host, now))) return { ok: false, reason: 'unknown_domain' };
  if (typed.trim().toLowerCase() !== host) return { ok: false, reason: 'name_differs' };
  const isOwn = sql`owner_id = ${ownerId} and name = ${host}`;
  const found = await db.all<{ id: DomainId; status: string }>(
    sql`select id, status from ${domains} where ${isOwn} and status <> 'deleted'`,
  );
  if (found.some(({ status }) => status === 'suspended'))
    return { ok: false, reason: 'domain_suspended' };
  const which = sql`${isOwn} and status = 'active'`;
  const { claims, deleted } = await runNamedBatch(db, {
    ...releaseHosts(which, now),
    claims: sql`delete from ${domain_claims} where host = ${host} and owner_id = ${ownerId} returning host`,
    deleted: sql`update ${domains} set status = 'deleted', version = version + 1 where ${which} returning id`,
  });
  if (deleted.rows.length === 0 && claims.rows.length === 0)
    return { ok: false, reason: 'unknown_domain' };
  return { ok: true };
}

/**
 * The statements that take the hosts, the offers and the members' choice from the domains that
 * `which` selects, and have their hostnames deleted at the platform.
 */
function releaseHosts(which: SQL, now: number) {
  const ids = sql`(select id from ${domains} where ${which})`;
  return {
    removals: sql`insert into ${domain_removals} (saas_id, host, next_try_at)
      select saas_id, host, ${now} from ${domain_hosts} where domain_id in ${ids} and saas_id <> ''
      on conflict (saas_id) do nothing`,
    hosts: sql<{
      host: string;
    }>`delete from ${domain_hosts} where domain_id in ${ids} returning host`,
    offers: sql`delete from ${domain_transfers} where domain_id in ${ids}`,
    defaults: sql`update ${users} set default_domain = '' where default_domain in ${ids}`,
  };
}

/**
 * The statements that remove the domains of a deleted account, in this order; `hosts` returns their
 * hosts. A suspended domain stays suspended, so that nobody else can add its host. `when` is true in
 * SQL if the account was deleted.
 */
export function removeDomainsOf(ownerId: string, now: number, when: SQL) {
  const which = sql`owner_id = ${ownerId} and ${when}`;
  const { removals, hosts } = releaseHosts(which, now);
  return {
    removals,
    hosts,
    offers: sql`delete from ${domain_transfers} where (from_id = ${ownerId} or to_id = ${ownerId}) and ${when}`,
    claims: sql`delete from ${domain_claims} where owner_id = ${ownerId} and ${when}`,
    domains: sql`update ${domains} set owner_id = 'deleted', version = version + 1, root_url = '', not_found_url = '',
      status = iif(status = 'suspended', status, 'deleted') where ${which}`,
  };
}
