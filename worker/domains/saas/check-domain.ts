import { sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { counters } from '#worker/db/schema-system.ts';
import { hasClaim } from './add-claim.ts';
import { checkMemberHost, MEMBER_HOST, type MemberHost } from './check-member-host.ts';
import { proveHost } from './prove-host.ts';
import type { SaasTools } from './tools.ts';

const CHECKS_PER_MINUTE = 5;

export type DomainCheck =
  | { ok: true; isProven: boolean; formerOwner: string | null }
  | { ok: false; reason: 'unknown_domain' | 'too_many_checks' };

/**
 * Checks a domain or a claim of the account, because its owner asks. `isProven` is true if this
 * check has given the host to the account. `formerOwner` is the account that has lost it; null for
 * none.
 */
export async function checkDomain(
  tools: SaasTools,
  ownerId: string,
  host: string,
  now: number,
): Promise<DomainCheck> {
  if (!(await takeCheck(tools.db, ownerId, now))) return { ok: false, reason: 'too_many_checks' };
  const known = await findHost(tools.db, ownerId, host);
  if (known !== null) {
    await checkMemberHost(tools, known, now, true);
    return { ok: true, isProven: false, formerOwner: null };
  }
  const proof = await proveHost(tools, { ownerId, host }, now);
  if (proof.state === 'unclaimed') return { ok: false, reason: 'unknown_domain' };
  if (proof.state === 'unproven') return { ok: true, isProven: false, formerOwner: null };
  const proven = await findHost(tools.db, ownerId, host);
  if (proven !== null) await checkMemberHost(tools, proven, now, true);
  return { ok: true, isProven: true, formerOwner: proof.formerOwner };
}

/** True if the account has a domain of this name or claims it. */
export async function isNamed(
  db: Db,
  ownerId: string,
  host: string,
  now: number,
): Promise<boolean> {
  const found = await db.get<{ found: number }>(sql`select
    exists (select 1 from ${domains} where owner_id = ${ownerId} and name = ${host} and status <> 'deleted')
    or ${hasClaim(ownerId, host, now)} as found`);
  return found.found === 1;
}

async function findHost(db: Db, ownerId: string, host: string): Promise<MemberHost | null> {
  const [found] = await db.all<MemberHost>(sql`select ${MEMBER_HOST} from ${domain_hosts}
    cross join ${domains} on ${domains}.id = domain_id where ${domain_hosts}.host = ${host} and owner_id = ${ownerId}`);
  return found ?? null;
}

/** Counts a check of the account. Each asks two resolvers and the platform. */
async function takeCheck(db: Db, ownerId: string, now: number): Promise<boolean> {
  const minute = Math.floor(now / MINUTE_MS);
  const taken = await db.all(sql`insert into ${counters} (key, count, expires_at)
    values (${`account:${ownerId}:domain-checks:${minute}`}, 1, ${(minute + 1) * MINUTE_MS})
    on conflict (key) do update set count = count + 1 where count < ${CHECKS_PER_MINUTE} returning count`);
  return taken.length > 0;
}
