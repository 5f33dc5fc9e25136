import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { DAY_MS } from '#contract/time.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import {
  domain_claims,
  domain_hosts,
  domain_transfers,
  domains,
} from '#worker/db/schema-domains.ts';
import { users } from '#worker/db/schema-users.ts';
import { newDomainId } from '#worker/domains/domain-id.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { countOfDay } from '#worker/plans/account-counters.ts';
import { planIncludesNumber } from '#worker/plans/plan-at.ts';
import { countOthers } from './add-claim.ts';
import { isLost } from './prove-host.ts';

const OFFER_MS = 7 * DAY_MS;
/** Offers are mails to other people. */
const OFFERS_PER_DAY = 5;

export type OfferResult =
  /** Null if nobody here has this address. */
  | { ok: true; receiver: string | null }
  | { ok: false; reason: 'unknown_domain' | 'too_many_offers' | 'offers_yourself' };

/**
 * Offers a domain to the account with this address. If no account has it, the offer is stored
 * without a receiver: its sender must not learn whether there is such an account.
 */
export async function offerDomain(
  db: Db,
  { ownerId, host, email }: { ownerId: string; host: string; email: string },
  now: number,
): Promise<OfferResult> {
  const isOwn = sql`${domains}.owner_id = ${ownerId} and ${domains}.name = ${host} and ${domains}.status = 'active'
    and exists (select 1 from ${domain_hosts} where domain_id = ${domains}.id)`;
  const own = await db.all(sql`select id from ${domains} where ${isOwn}`);
  if (own.length === 0) return { ok: false, reason: 'unknown_domain' };
  const address = email.trim().toLowerCase();
  const receivers = await db.all<{ id: string }>(
    sql`select id from ${users} where email = ${address} and email <> '' and suspended_at is null limit 1`,
  );
  const [receiver] = receivers;
  if (receiver?.id === ownerId) return { ok: false, reason: 'offers_yourself' };
  const day = { userId: ownerId, max: OFFERS_PER_DAY };
  if (!(await countOfDay(db, 'domain-offers', day, now)))
    return { ok: false, reason: 'too_many_offers' };
  await db.run(sql`insert into ${domain_transfers} (domain_id, from_id, to_id, created_at, expires_at)
    select id, ${ownerId}, ${receiver?.id ?? ''}, ${now}, ${now + OFFER_MS} from ${domains} where ${isOwn}
    on conflict (domain_id) do update set to_id = excluded.to_id, created_at = excluded.created_at, expires_at = excluded.expires_at`);
  return { ok: true, receiver: receiver?.id ?? null };
}

export type AcceptResult =
  | { ok: true; formerOwner: string }
  | { ok: false; reason: 'unknown_offer' | 'domain_limit' };

/**
 * Gives the host of an offered domain to the receiver: to their former domain of this name with the
 * links there, or to a new one. The links of the offered domain stay with it, and it ends. The
 * former owner's TXT record counts as the receiver's until a check sees one of the receiver, so
 * that a record from before the transfer does not take the host back.
 */
export async function acceptDomain(
  db: Db,
  { userId, host }: { userId: string; host: string },
  now: number,
): Promise<AcceptResult> {
  const offered = sql`${domain_transfers}.to_id = ${userId} and ${domain_transfers}.expires_at > ${now}
    and ${domains}.name = ${host} and ${domains}.status = 'active' and ${domains}.owner_id = ${domain_transfers}.from_id`;
  const [offer] = await db.all<{
    id: DomainId;
    ownerId: string;
    lost: DomainId | null;
  }>(sql`select ${domains}.id, owner_id as ownerId,
      (select id from ${domains} where ${isLost(userId, host)} order by created_at desc limit 1) as lost
    from ${domain_transfers} cross join ${domains} on ${domains}.id = domain_id where ${offered}`);
  if (offer === undefined) return { ok: false, reason: 'unknown_offer' };
  const id = offer.lost ?? newDomainId(cryptoRandom);
  const isMoved = sql`exists (select 1 from ${domain_hosts} where host = ${host} and domain_id = ${id})`;
  const hasRoom = sql`${countOthers(userId, host, now)} < ${planIncludesNumber(sql`${userId}`, 'domains', now)}`;
  const { moved } = await runNamedBatch(db, {
    moved: sql`update ${domain_hosts} set domain_id = ${id}, failing_since = null, mails = 0
      where host = ${host} and domain_id = ${offer.id} and ${hasRoom}
        and not exists (select 1 from ${domains} where id = ${id} and status = 'deleted')
        and exists (select 1 from ${domain_transfers} cross join ${domains} on ${domains}.id = ${domain_transfers}.domain_id
          where ${domain_transfers}.domain_id = ${offer.id} and ${offered})
        and exists (select 1 from ${users} where id = ${userId} and suspended_at is null)
        and exists (select 1 from ${users} where id = ${offer.ownerId} and suspended_at is null)
      returning host`,
    domain: sql`insert into ${domains} (id, owner_id, name, version, created_at)
      select ${id}, ${userId}, ${host}, (select coalesce(max(version), 0) + 2 from ${domains} where name = ${host}), ${now} where ${isMoved}
      on conflict (id) do update set version = excluded.version`,
    claim: sql`delete from ${domain_claims} where host = ${host} and owner_id = ${userId} and ${isMoved}`,
    former: sql`update ${domains} set status = 'deleted', version = version + 1 where id = ${offer.id} and ${isMoved}`,
    defaults: sql`update ${users} set default_domain = '' where default_domain = ${offer.id} and ${isMoved}`,
    offer: sql`delete from ${domain_transfers} where domain_id = ${offer.id} and ${isMoved}`,
  });
  if (moved.rows.length > 0) return { ok: true, formerOwner: offer.ownerId };
  const room = await db.get<{ room: number }>(sql`select ${hasRoom} as room`);
  return { ok: false, reason: room.room > 0 ? 'unknown_offer' : 'domain_limit' };
}

/** Ends an offer, as the account that made it or the one that got it. */
export async function endOffer(db: Db, userId: string, host: string): Promise<boolean> {
  const ended =
    await db.all(sql`delete from ${domain_transfers} where (from_id = ${userId} or to_id = ${userId})
    and domain_id in (select id from ${domains} where name = ${host}) returning domain_id`);
  return ended.length > 0;
}
