import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import {
  domain_claims,
  domain_hosts,
  domain_removals,
  domains,
} from '#worker/db/schema-domains.ts';
import { allHave, readUse } from '#worker/domains/proof/read-dns.ts';
import { countOfDay } from '#worker/plans/account-counters.ts';
import { planIncludesNumber } from '#worker/plans/plan-at.ts';
import type { SaasTools } from './tools.ts';

/** How long an account may take to prove a host. */
export const CLAIM_MS = 7 * DAY_MS;
/** Each claim costs requests to resolvers, and a row that stays when its domain is deleted. */
const CLAIMS_PER_DAY = 50;

export type Claim = { ownerId: string; host: string; isConfirmed: boolean };
type ClaimReason =
  | 'domain_yours'
  | 'domain_limit'
  | 'domains_full'
  | 'domain_shared'
  | 'too_many_claims';
export type ClaimResult =
  | { ok: true }
  | { ok: false; reason: ClaimReason }
  /** `uses` are the types of records of a website or of mail, which would stop. */
  | { ok: false; reason: 'domain_in_use'; uses: readonly string[] };

/**
 * Stores that an account wants to use a host. Any number of accounts may claim the same host,
 * because a claim gives no right to it.
 */
export async function addClaim(
  { db, settings, lookUp }: SaasTools,
  { ownerId, host, isConfirmed }: Claim,
  now: number,
): Promise<ClaimResult> {
  const day = { userId: ownerId, max: CLAIMS_PER_DAY };
  if (!(await countOfDay(db, 'domain-claims', day, now)))
    return { ok: false, reason: 'too_many_claims' };
  if (!isConfirmed) {
    const leadsHere = allHave(await lookUp(host, 'CNAME'), settings.target);
    const uses = leadsHere ? [] : ((await readUse(lookUp, host)) ?? []);
    if (uses.length > 0) return { ok: false, reason: 'domain_in_use', uses };
  }
  const isOwned = (owner: string) => sql`exists (select 1 from ${domain_hosts} cross join ${domains}
    on ${domains}.id = ${domain_hosts}.domain_id where ${domain_hosts}.host = ${host} and ${domains}.owner_id = ${owner})`;
  const limit = planIncludesNumber(sql`${ownerId}`, 'domains', now);
  const claimed =
    await db.all(sql`insert into ${domain_claims} (host, owner_id, created_at, expires_at)
    select ${host}, ${ownerId}, ${now}, ${now + CLAIM_MS}
    where ${countOthers(ownerId, host, now)} < ${limit} and not ${isFull(host, settings.max)} and not ${isOwned('')} and not ${isOwned(ownerId)}
    on conflict (host, owner_id) do update set expires_at = excluded.expires_at returning host`);
  if (claimed.length > 0) return { ok: true };
  const why = await db.get<Record<'shared' | 'yours' | 'full', number>>(
    sql`select ${isOwned('')} as shared, ${isOwned(ownerId)} as yours, ${isFull(host, settings.max)} as full`,
  );
  if (why.shared === 1) return { ok: false, reason: 'domain_shared' };
  if (why.yours === 1) return { ok: false, reason: 'domain_yours' };
  return { ok: false, reason: why.full > 0 ? 'domains_full' : 'domain_limit' };
}

/**
 * How many hostnames members use at the platform, in SQL: proven hosts, and those of deleted domains
 * until the platform has deleted them. Claims use none.
 */
export const countHostnames = (exceptHost = '') =>
  sql`((select count(*) from ${domain_hosts} where proven_at is not null)
    + (select count(*) from ${domain_removals} where host <> ${exceptHost}))`;

/** True in SQL if the deployment has no room for another host. */
export const isFull = (host: string, max: number) => sql`(${countHostnames(host)} >= ${max})`;

/** How many other hosts the account has or claims, in SQL. */
export const countOthers = (ownerId: string, host: string, now: number) =>
  sql`(select count(*) from (
    select host as name from ${domain_claims} where owner_id = ${ownerId} and expires_at > ${now} and host <> ${host}
    union select name from ${domains} where owner_id = ${ownerId} and status <> 'deleted' and name <> ${host}))`;

/** True in SQL while the account claims the host. */
export const hasClaim = (ownerId: string, host: string, now: number) =>
  sql`exists (select 1 from ${domain_claims} where host = ${host} and owner_id = ${ownerId} and expires_at > ${now})`;
