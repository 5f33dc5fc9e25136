import { sql, type SQL } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domain_removals } from '#worker/db/schema-domains.ts';
import { proofValue } from '#worker/domains/proof/proof-value.ts';
import {
  allHave,
  judgeProofs,
  readProofs,
  readTarget,
  type SeenDns,
  type SeenRecord,
} from '#worker/domains/proof/read-dns.ts';
import { nextState, TRIES_MAX, type HostState } from './host-state.ts';
import type { Hostname, PlatformResult } from './platform.ts';
import type { SaasTools } from './tools.ts';

/** A proven host of a member, with the account that owns its domain. */
export type MemberHost = HostState & {
  host: string;
  domain_id: DomainId;
  owner_id: string;
  proof: string;
  seen: string;
};

/** The content of `domain_hosts.seen`. */
export type HostSeen = { txt: SeenRecord; cname: SeenRecord };

export const MEMBER_HOST = sql`${domain_hosts}.host, domain_id, owner_id, proof, seen, saas_id, saas_status, ssl_status, fault,
  active_at, failing_since, mails, checks, next_check_at`;

/**
 * Asks DNS and the platform about a host and stores the answers. Creates its hostname if it has
 * none, and starts the validation again once the CNAME record is back. `isAsked` is true if the
 * owner has started the check.
 */
export async function checkMemberHost(
  { db, settings, platform, lookUp, secret }: SaasTools,
  host: MemberHost,
  now: number,
  isAsked = false,
): Promise<MemberHost> {
  const { host: name, owner_id: ownerId } = host;
  // A hostname is created before the CNAME record, because a proxied record without one shows error
  // 1014.
  const isNew = host.saas_id === '' && host.active_at === null;
  const created =
    isNew && (isAsked || host.checks < TRIES_MAX) ? await platform.create(name) : null;
  const [answers, target] = await Promise.all([
    readProofs(lookUp, name),
    readTarget(lookUp, name, settings.target),
  ]);
  const own = proofValue(secret, ownerId, name);
  const txt = judgeProofs(answers, [own, host.proof]);
  const dns: SeenDns = { txt, ...target };
  const isBack =
    target.cname.state === 'right' && (isAsked || lastSeen(host)?.cname.state !== 'right');
  const answer = created ?? (await follow());
  const before = isAsked && host.checks >= TRIES_MAX ? { ...host, checks: 0 } : host;
  const next = nextState(before, answer, dns, now);
  const seen: HostSeen = { txt, cname: target.cname };
  // After a transfer the record of the former owner counts until the new owner enters theirs.
  const proof = allHave(answers, own) ? own : host.proof;
  const checked = { ...next, proof, seen: JSON.stringify(seen) };
  if (checked.fault === 'too_many_tries') checked.saas_id = '';
  await store(db, host, checked, now);
  return checked;

  async function follow(): Promise<PlatformResult<Hostname> | null> {
    const read =
      host.saas_id === ''
        ? ({ ok: false, reason: 'not_found' } as const)
        : await platform.read(host.saas_id);
    // A hostname of a host that leads elsewhere would count against the quota for nothing.
    if (!read.ok && read.reason === 'not_found')
      return target.cname.state === 'right' ? platform.create(name) : null;
    if (!read.ok || !isBack) return read;
    const isWaiting = ['pending', 'moved', 'blocked'].includes(read.value.status);
    return isWaiting ? platform.refresh(read.value.id) : read;
  }
}

export function lastSeen({ seen }: Pick<MemberHost, 'seen'>): HostSeen | null {
  return seen === '' ? null : JSON.parse(seen);
}

/**
 * Stores a check, unless the host belongs to another domain by now. A hostname that has been given
 * up is deleted at the platform later.
 */
async function store(db: Db, before: MemberHost, after: MemberHost, now: number): Promise<void> {
  const { host, domain_id: domainId } = before;
  const isSame = sql`host = ${host} and domain_id = ${domainId}`;
  const isGivenUp = before.saas_id !== '' && after.fault === 'too_many_tries';
  const { stored } = await runNamedBatch(db, {
    stored: sql`update ${domain_hosts} set saas_id = ${after.saas_id}, saas_status = ${after.saas_status},
      ssl_status = ${after.ssl_status}, fault = ${after.fault}, active_at = ${after.active_at}, failing_since = ${after.failing_since},
      mails = ${after.mails}, proof = ${after.proof}, checks = ${after.checks}, next_check_at = ${after.next_check_at}, seen = ${after.seen}, checked_at = ${now}
      where ${isSame} returning host`,
    givenUp: isGivenUp ? [queueRemoval(before.saas_id, host, now, sql`1`)] : [],
    // The platform returns an existing hostname again, even one that waits for its deletion.
    used: sql`delete from ${domain_removals} where saas_id = ${after.saas_id}
      and exists (select 1 from ${domain_hosts} where host = ${host} and saas_id = ${after.saas_id})`,
  });
  // The host was deleted meanwhile, and nobody knows of this hostname.
  if (stored.rows.length === 0 && after.saas_id !== '' && after.saas_id !== before.saas_id)
    await db.run(
      queueRemoval(
        after.saas_id,
        host,
        now,
        sql`not exists (select 1 from ${domain_hosts} where host = ${host})`,
      ),
    );
}

/** Returns the statement after which a job deletes the hostname at the platform. */
const queueRemoval = (
  saasId: string,
  host: string,
  now: number,
  when: SQL,
) => sql`insert into ${domain_removals} (saas_id, host, next_try_at) select ${saasId}, ${host}, ${now} where ${when}
  on conflict (saas_id) do nothing`;
