import { sql } from 'drizzle-orm';
import type { Domain, DomainFault, DomainOffer, DomainState } from '#contract/domains.ts';
import type { Db } from '#worker/db/client.ts';
import {
  domain_claims,
  domain_hosts,
  domain_transfers,
  domains,
} from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { proofName, proofValue } from '#worker/domains/proof/proof-value.ts';
import { UNSEEN, type SeenRecord } from '#worker/domains/proof/read-dns.ts';
import { displayHost } from '#worker/safety/lookalike.ts';

type Row = {
  name: string;
  status: 'active' | 'suspended';
  reason: string | null;
  root_url: string;
  not_found_url: string;
  created_at: number;
  /** Null for a claim, and for a domain that has lost its host. */
  host: string | null;
  fault: DomainFault | '';
  active_at: number | null;
  failing_since: number | null;
  seen: string;
  checked_at: number | null;
  /** 1 if another account has the host. */
  taken: number;
  offered_until: number | null;
};
type Seen = { txt?: SeenRecord; cname?: SeenRecord; fault?: DomainFault };

/** The account's own domains and its claims, the oldest first. `target` is that of CNAME records. */
export async function describeOwnDomains(
  db: Db,
  { ownerId, secret, target }: { ownerId: string; secret: string; target: string },
  now: number,
): Promise<Domain[]> {
  const isTaken = (name: ReturnType<typeof sql>) =>
    sql`exists (select 1 from ${domain_hosts} as other where other.host = ${name})`;
  const rows = await db.all<Row>(sql`
    select name, status, suspended_reason as reason, root_url, not_found_url, ${domains}.created_at as created_at,
      ${domain_hosts}.host as host, coalesce(fault, '') as fault, active_at, failing_since,
      coalesce(${domain_hosts}.seen, ${domain_claims}.seen, '') as seen,
      iif(domain_id is null, ${domain_claims}.checked_at, ${domain_hosts}.checked_at) as checked_at,
      domain_id is null and ${isTaken(sql`name`)} as taken,
      (select expires_at from ${domain_transfers} where ${domain_transfers}.domain_id = ${domains}.id
        and from_id = ${domains}.owner_id and expires_at > ${now}) as offered_until
    from ${domains} left join ${domain_hosts} on domain_id = id
      left join ${domain_claims} on ${domain_claims}.host = name and ${domain_claims}.owner_id = ${domains}.owner_id
    where ${domains}.owner_id = ${ownerId} and status <> 'deleted'
    union all
    select host, 'active', null, '', '', created_at, null, '', null, null, seen, checked_at, ${isTaken(sql`${domain_claims}.host`)}, null
    from ${domain_claims} where owner_id = ${ownerId} and expires_at > ${now}
      and not exists (select 1 from ${domains} where owner_id = ${ownerId} and name = ${domain_claims}.host and status <> 'deleted')
    order by created_at, name`);
  return rows.map((row) => {
    const seen: Seen = row.seen === '' ? {} : JSON.parse(row.seen);
    const state = stateOf(row);
    const txt = {
      type: 'TXT',
      name: proofName(row.name),
      value: proofValue(secret, ownerId, row.name),
      ...(seen.txt ?? UNSEEN),
    } as const;
    const cname = {
      type: 'CNAME',
      name: row.name,
      value: target,
      ...(seen.cname ?? UNSEEN),
    } as const;
    return {
      name: row.name,
      displayName: displayHost(row.name),
      isShared: false,
      state,
      fault: faultOf(row, seen),
      suspendedReason: row.status === 'suspended' ? (row.reason ?? '') : null,
      // Where the platform has no hostname yet, the CNAME record would show error 1014.
      records: row.host === null || target === '' ? [txt] : [txt, cname],
      rootUrl: row.root_url,
      notFoundUrl: row.not_found_url,
      createdAt: new Date(row.created_at).toISOString(),
      checkedAt: optionalTime(row.checked_at),
      offeredUntil: optionalTime(row.offered_until),
    };
  });
}

const optionalTime = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

function stateOf({ status, host, active_at, failing_since }: Row): DomainState {
  if (status === 'suspended') return 'suspended';
  if (host === null) return 'unproven';
  if (active_at === null) return 'pending';
  return failing_since === null ? 'active' : 'failing';
}

function faultOf({ host, fault, taken }: Row, seen: Seen): DomainFault | null {
  if (host !== null) return fault === '' ? null : fault;
  if (seen.fault !== undefined) return seen.fault;
  return taken > 0 ? 'held_by_another' : 'record_missing';
}

/** The domains that other accounts offer to this one. */
export async function listOffers(db: Db, userId: string, now: number): Promise<DomainOffer[]> {
  const rows = await db.all<{ name: string; sender: string }>(sql`select name, email as sender
    from ${domain_transfers} cross join ${domains} on ${domains}.id = domain_id cross join ${users} on ${users}.id = from_id
    where to_id = ${userId} and expires_at > ${now} and status = 'active' order by name`);
  return rows.map(({ name, sender }) => ({ name, displayName: displayHost(name), from: sender }));
}
