import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import type { DomainFault } from '#contract/domains.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  domain_claims,
  domain_hosts,
  domain_removals,
  domains,
} from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { proofValue } from '#worker/domains/proof/proof-value.ts';
import {
  judgeProofs,
  noneHas,
  readProofs,
  type SeenRecord,
} from '#worker/domains/proof/read-dns.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { CLAIM_MS, hasClaim, isFull } from './add-claim.ts';
import type { SaasTools } from './tools.ts';

/** What a check of an unproven host found, as `domain_claims.seen` and the API show it. */
export type ClaimSeen = { txt: SeenRecord; fault: DomainFault };

export type ProofResult =
  | { state: 'unclaimed' }
  | { state: 'unproven'; seen: ClaimSeen }
  /** `formerOwner` is the account that had the host, and has lost it by this proof. */
  | { state: 'proven'; domainId: DomainId; formerOwner: string | null };

type Holder = { domainId: DomainId; ownerId: string; proof: string };
type Standing = {
  claimed: number;
  lost: DomainId | null;
  holder: Holder | null;
  /** 1 if this deployment has no room for another host. */
  full: number;
};

/**
 * Looks for the TXT record of a claim. Once both resolvers show it, the host belongs to the
 * account: to its former domain of this name with the links there, or to a new one. A host of
 * another account moves only if that account's record is gone, because control of the DNS decides.
 */
export async function proveHost(
  { db, settings, lookUp, secret }: SaasTools,
  { ownerId, host }: { ownerId: string; host: string },
  now: number,
): Promise<ProofResult> {
  const who = { ownerId, host, max: settings.max };
  const { claimed, lost, holder, full } = await readStanding(db, who, now);
  if (claimed === 0 && lost === null) return { state: 'unclaimed' };
  const value = proofValue(secret, ownerId, host);
  const answers = await readProofs(lookUp, host);
  const txt = judgeProofs(answers, [value]);
  const unproven = async (fault: DomainFault): Promise<ProofResult> => {
    const seen = { txt, fault };
    // A domain that has lost its host may have no claim that could hold what the check saw.
    await db.run(sql`insert into ${domain_claims} (host, owner_id, created_at, expires_at, checked_at, seen)
      select ${host}, ${ownerId}, ${now}, ${now + CLAIM_MS}, ${now}, ${JSON.stringify(seen)}
      where ${hasClaim(ownerId, host, now)} or exists (select 1 from ${domains} where ${isLost(ownerId, host)})
      on conflict (host, owner_id) do update set checked_at = excluded.checked_at, seen = excluded.seen`);
    return { state: 'unproven', seen };
  };
  if (txt.state !== 'right')
    return unproven(txt.state === 'wrong' ? 'wrong_value' : 'record_missing');
  if (holder?.ownerId === '') return unproven('held_by_another');
  if (holder !== null) {
    const proofs = [holder.proof, proofValue(secret, holder.ownerId, host)];
    if (!noneHas(answers, proofs)) return unproven('held_by_another');
  }
  const domainId = lost ?? newDomainId(cryptoRandom);
  const isProven = await attach(db, { ...who, domainId, holder, value }, now);
  if (!isProven)
    return unproven(holder === null && full !== 0 ? 'quota_reached' : 'held_by_another');
  return { state: 'proven', domainId, formerOwner: holder?.ownerId ?? null };
}

/** The claim, the domain of this name that the account had before, and who has the host now. */
async function readStanding(
  db: Db,
  { ownerId, host, max }: Pick<Attachment, 'ownerId' | 'host' | 'max'>,
  now: number,
): Promise<Standing> {
  const row = await db.get<{
    claimed: number;
    lost: DomainId | null;
    holder: string | null;
    full: number;
  }>(sql`select
    ${hasClaim(ownerId, host, now)} as claimed,
    (select id from ${domains} where ${isLost(ownerId, host)} order by created_at desc limit 1) as lost,
    (select json_object('domainId', ${domains}.id, 'ownerId', ${domains}.owner_id, 'proof', proof) from ${domain_hosts}
      cross join ${domains} on ${domains}.id = domain_id where ${domain_hosts}.host = ${host}) as holder,
    ${isFull(host, max)} as full`);
  return { ...row, holder: row.holder === null ? null : JSON.parse(row.holder) };
}

/** True in SQL for a domain of the account that has lost its host. */
export const isLost = (ownerId: string, host: string) =>
  sql`owner_id = ${ownerId} and name = ${host} and status <> 'deleted'
    and not exists (select 1 from ${domain_hosts} where domain_id = ${domains}.id)`;

type Attachment = {
  ownerId: string;
  host: string;
  domainId: DomainId;
  holder: Holder | null;
  value: string;
  max: number;
};

/**
 * Gives the host to the domain in one batch, if the holder is still the one that was read. A
 * suspended host, or that of a suspended owner, stays with its domain. The version rises above
 * those of all domains that have had the host, so that its record in KV replaces theirs.
 */
async function attach(db: Db, to: Attachment, now: number): Promise<boolean> {
  const { ownerId, host, domainId, holder, value, max } = to;
  const isHeldAsRead =
    holder === null
      ? sql`not exists (select 1 from ${domain_hosts} where host = ${host})
          and not ${isFull(host, max)}`
      : sql`exists (select 1 from ${domain_hosts} where host = ${host} and domain_id = ${holder.domainId})
          and not exists (select 1 from ${users} where id = ${holder.ownerId} and suspended_at is not null)`;
  const mayHold = sql`(${hasClaim(ownerId, host, now)} or exists (select 1 from ${domains} where id = ${domainId} and ${isLost(ownerId, host)}))
    and exists (select 1 from ${users} where id = ${ownerId} and suspended_at is null)
    and not exists (select 1 from ${domains} where name = ${host} and status = 'suspended' and id <> ${domainId})`;
  const isAttached = sql`exists (select 1 from ${domain_hosts} where host = ${host} and domain_id = ${domainId})`;
  const version = sql`(select coalesce(max(version), 0) + 1 from ${domains} where name = ${host})`;
  const { attached } = await runNamedBatch(db, {
    attached: sql`insert into ${domain_hosts} (host, domain_id, proof, proven_at, next_check_at, created_at)
      select ${host}, ${domainId}, ${value}, ${now}, ${now}, ${now} where ${isHeldAsRead} and ${mayHold}
      on conflict (host) do update set domain_id = excluded.domain_id, proof = excluded.proof, proven_at = excluded.proven_at,
        active_at = null, failing_since = null, mails = 0, checks = 0, fault = '', seen = '', next_check_at = excluded.next_check_at
      returning host`,
    domain: sql`insert into ${domains} (id, owner_id, name, version, created_at)
      select ${domainId}, ${ownerId}, ${host}, ${version}, ${now} where ${isAttached}
      on conflict (id) do update set version = excluded.version`,
    claim: sql`delete from ${domain_claims} where host = ${host} and owner_id = ${ownerId} and ${isAttached}`,
    kept: sql`delete from ${domain_removals} where host = ${host} and ${isAttached}`,
  });
  return attached.rows.length > 0;
}
