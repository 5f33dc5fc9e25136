import { sql, type SQL } from 'drizzle-orm';
import { keyedHash } from '#worker/http/keyed-hash.ts';
import { address_standing, subscriptions } from '#worker/db/schema.ts';

/**
 * What is remembered about an address beyond its account, for the batches that change it: suspension, demotion and the
 * used quota of the running cycle. `when` is the batch's own condition. A row that remembers nothing is deleted at once.
 */

/** The key of an address: an HMAC under AUTH_SECRET. Null for a person without an address, about whom nothing is remembered. */
export function addressHash(secret: string, email: string): string | null {
  return email === '' ? null : keyedHash(secret, 'address', email.toLowerCase());
}

export function suspendAddress(hash: string | null, reason: string, now: number, when: SQL): SQL {
  return sql`insert into ${address_standing} (address_hash, suspended_at, suspended_reason)
    select ${hash}, ${now}, ${reason} where ${hash} is not null and ${when}
    on conflict (address_hash) do update set suspended_at = excluded.suspended_at, suspended_reason = excluded.suspended_reason`;
}

export function liftAddress(hash: string | null, when: SQL): SQL[] {
  return [
    sql`update ${address_standing} set suspended_at = null, suspended_reason = null where address_hash = ${hash} and ${when}`,
    forgetIfEmpty(hash),
  ];
}

export function demoteAddress(hash: string | null, now: number, when: SQL): SQL {
  return sql`insert into ${address_standing} (address_hash, demoted_at) select ${hash}, ${now} where ${hash} is not null and ${when}
    on conflict (address_hash) do update set demoted_at = excluded.demoted_at`;
}

export function clearDemotion(hash: string | null, when: SQL): SQL[] {
  return [sql`update ${address_standing} set demoted_at = null where address_hash = ${hash} and ${when}`, forgetIfEmpty(hash)];
}

/** True in SQL where an administrator took the role from this address. */
export function isDemoted(hash: string | null): SQL {
  return sql`exists (select 1 from ${address_standing} where address_hash = ${hash} and demoted_at is not null)`;
}

/** Keeps what the member used since `cycleStart`, until `cycleEnd`; nothing where nothing was used. Times in ms. */
export function rememberQuota(
  hash: string | null,
  userId: string,
  cycle: { start: number; end: number },
  now: number,
  when: SQL,
): SQL {
  return sql`insert into ${address_standing} (address_hash, cycle_anchor, billing_cycle_start, current_usage, quota_until)
    select ${hash}, cycle_anchor, billing_cycle_start, current_usage, ${cycle.end} from ${subscriptions}
    where user_id = ${userId} and current_usage > 0 and billing_cycle_start >= ${cycle.start} and ${hash} is not null and ${when}
    on conflict (address_hash) do update set cycle_anchor = excluded.cycle_anchor,
      billing_cycle_start = excluded.billing_cycle_start, current_usage = excluded.current_usage, quota_until = excluded.quota_until
    where quota_until is null or quota_until <= ${now} or current_usage <= excluded.current_usage`;
}

/** Moves the remembered use into the new account's subscription: it is kept in one place only. `limit`: of the free plan. */
export function moveQuotaTo(hash: string | null, userId: string, limit: number, now: number, when: SQL): SQL[] {
  return [
    sql`insert into ${subscriptions} (user_id, plan, monthly_limit, current_usage, cycle_anchor, billing_cycle_start, updated_at)
      select ${userId}, 'free', ${limit}, current_usage, cycle_anchor, billing_cycle_start, ${now} from ${address_standing}
      where address_hash = ${hash} and quota_until > ${now} and ${when} on conflict (user_id) do nothing`,
    sql`update ${address_standing} set ${NO_QUOTA} where address_hash = ${hash} and quota_until is not null and ${when}`,
    forgetIfEmpty(hash),
  ];
}

/** Forgets at most `limit` quotas whose cycle has ended: rows that remember nothing else are deleted, the others keep the rest. */
export function forgetEndedQuotas(now: number, limit: number): [SQL, SQL] {
  const ended = (more: SQL) =>
    sql`address_hash in (select address_hash from ${address_standing} where quota_until <= ${now} and ${more} limit ${limit})`;
  return [
    sql`delete from ${address_standing} where ${ended(sql`suspended_at is null and demoted_at is null`)} returning 1`,
    sql`update ${address_standing} set ${NO_QUOTA} where ${ended(sql`(suspended_at is not null or demoted_at is not null)`)} returning 1`,
  ];
}

const NO_QUOTA = sql`cycle_anchor = null, billing_cycle_start = null, current_usage = null, quota_until = null`;

const forgetIfEmpty = (hash: string | null): SQL => sql`delete from ${address_standing}
  where address_hash = ${hash} and suspended_at is null and demoted_at is null and quota_until is null`;
