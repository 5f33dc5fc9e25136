import { sql, type SQL } from 'drizzle-orm';
import { keyedHash } from '#worker/secrets/keyed-hash.ts';
import { address_standing, subscriptions } from '#worker/db/schema-users.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';

/**
 * What is stored about an email address beyond the life of its account: suspension, demotion and
 * the quota used in the running cycle (docs/decisions.md#d44). The functions return statements for
 * the batch that changes the account; `when` is the condition of that batch. A row without any of
 * the three is deleted in the same batch.
 */

/**
 * The key of an email address: an HMAC under AUTH_SECRET. Null for a user without an email, because
 * nothing is stored about them.
 */
export function addressHash(secret: string, email: string): string | null {
  return email === '' ? null : keyedHash(secret, 'address', email.toLowerCase());
}

export function suspendAddress(hash: string | null, reason: string, now: number, when: SQL): SQL {
  return sql`insert into ${address_standing} (address_hash, suspended_at, suspended_reason)
    select ${hash}, ${now}, ${reason} where ${hash} is not null and ${when}
    on conflict (address_hash) do update set suspended_at = excluded.suspended_at, suspended_reason = excluded.suspended_reason`;
}

export function unsuspendAddress(hash: string | null, when: SQL): SQL[] {
  return [
    sql`update ${address_standing} set suspended_at = null, suspended_reason = null where address_hash = ${hash} and ${when}`,
    deleteIfEmpty(hash),
  ];
}

export function demoteAddress(hash: string | null, now: number, when: SQL): SQL {
  return sql`insert into ${address_standing} (address_hash, demoted_at) select ${hash}, ${now} where ${hash} is not null and ${when}
    on conflict (address_hash) do update set demoted_at = excluded.demoted_at`;
}

export function clearDemotion(hash: string | null, when: SQL): SQL[] {
  return [
    sql`update ${address_standing} set demoted_at = null where address_hash = ${hash} and ${when}`,
    deleteIfEmpty(hash),
  ];
}

/** True in SQL if an administrator has removed the admin role from this address. */
export function isAddressDemoted(hash: string | null): SQL {
  return sql`exists (select 1 from ${address_standing} where address_hash = ${hash} and demoted_at is not null)`;
}

/**
 * Stores the quota that the member has used since `cycle.start`, until `cycle.end`. Stores nothing
 * if nothing was used. Times in ms.
 */
export function storeUsedQuota(
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

/** Moves the used quota into the new account's subscription. `limit` is the free plan's. */
export function restoreUsedQuota(
  hash: string | null,
  userId: string,
  limit: number,
  now: number,
  when: SQL,
): SQL[] {
  return [
    sql`insert into ${subscriptions} (user_id, plan, monthly_limit, current_usage, cycle_anchor, billing_cycle_start, updated_at)
      select ${userId}, 'free', ${limit}, current_usage, cycle_anchor, billing_cycle_start, ${now} from ${address_standing}
      where address_hash = ${hash} and quota_until > ${now} and ${when} on conflict (user_id) do nothing`,
    sql`update ${address_standing} set ${NO_QUOTA} where address_hash = ${hash} and quota_until is not null and ${when}`,
    deleteIfEmpty(hash),
  ];
}

/**
 * Two statements for quotas whose cycle has ended, for at most `limit` rows each. One deletes rows
 * that store nothing else; the other clears only the quota.
 */
export function clearEndedQuotas(now: number, limit: number): [SQL, SQL] {
  const ended = (more: SQL) =>
    sql`address_hash in (select address_hash from ${address_standing} where quota_until <= ${now} and ${more} limit ${limit})`;
  return [
    sql`delete from ${address_standing} where ${ended(sql`suspended_at is null and demoted_at is null`)} returning 1`,
    sql`update ${address_standing} set ${NO_QUOTA} where ${ended(sql`(suspended_at is not null or demoted_at is not null)`)} returning 1`,
  ];
}

const NO_QUOTA = sql`cycle_anchor = null, billing_cycle_start = null, current_usage = null, quota_until = null`;

const deleteIfEmpty = (hash: string | null): SQL => sql`delete from ${address_standing}
  where address_hash = ${hash} and suspended_at is null and demoted_at is null and quota_until is null`;

/**
 * True in SQL if the last change of this account's role was a demotion. It holds even if the email
 * has changed since.
 */
export function wasDemoted(userId: string): SQL {
  return sql`coalesce((select after ->> 'role' = 'user' from ${admin_log}
    where subject = ${`user:${userId}`} and action = 'set_role' order by id desc limit 1), 0)`;
}
