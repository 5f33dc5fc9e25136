import { sql, type SQL } from 'drizzle-orm';
import { DEFAULT_DOMAIN, type DomainId } from '#contract/domain-key.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';

/**
 * Why a member cannot make links on a domain. `unknown_domain` is also the answer for a domain of
 * somebody else.
 */
export type DomainErrorReason = 'unknown_domain' | 'domain_not_ready' | 'domain_suspended';

export type UsableDomain =
  | { ok: true; id: DomainId; name: string }
  | { ok: false; reason: DomainErrorReason };

/**
 * True in SQL while `userId` may make links on the domain of a row of `domains`: it is their own or
 * the operator's, it is not suspended, and a host leads to it that is the operator's or proven and
 * connected.
 */
const isUsable = (userId: SQL | string): SQL =>
  sql`${domains}.owner_id in ('', ${userId}) and ${domains}.status = 'active' and ${isReady}`;

const isReady = sql`exists (select 1 from ${domain_hosts} where ${domain_hosts}.domain_id = ${domains}.id
  and (${domains}.owner_id = '' or ${domain_hosts}.active_at is not null))`;

/** True in SQL while `userId` may make links on all these domains. */
export function mayUseDomains(ids: Iterable<DomainId>, userId: string | null): SQL {
  const others = [...new Set(ids)].filter((id) => id !== DEFAULT_DOMAIN);
  if (others.length === 0) return sql`1`;
  if (userId === null) return sql`0`;
  return sql.join(
    others.map(
      (id) =>
        sql`exists (select 1 from ${domains} where ${domains}.id = ${id} and ${isUsable(userId)})`,
    ),
    sql` and `,
  );
}

/** Finds the domain of a host for new links of a member. '' is the deployment's own short host. */
export async function findUsableDomain(
  db: Db,
  userId: string,
  name: string,
): Promise<UsableDomain> {
  if (name === '') return { ok: true, id: DEFAULT_DOMAIN, name };
  const host = name.toLowerCase();
  const row = await db.get<{ id: DomainId; status: string; ready: number } | undefined>(sql`
    select ${domains}.id, ${domains}.status, ${isReady} as ready
    from ${domain_hosts} cross join ${domains} on ${domains}.id = ${domain_hosts}.domain_id
    where ${domain_hosts}.host = ${host} and ${domains}.owner_id in ('', ${userId})`);
  if (row === undefined) return { ok: false, reason: 'unknown_domain' };
  if (row.status !== 'active') return { ok: false, reason: 'domain_suspended' };
  if (row.ready !== 1) return { ok: false, reason: 'domain_not_ready' };
  return { ok: true, id: row.id, name: host };
}
