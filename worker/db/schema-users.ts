import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DomainId } from '#contract/codes/domain-key.ts';

/**
 * One row per person who has made a request with a verified token, with the embedded or the hosted
 * sign-in.
 */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull().default(''),
    role: text({ enum: ['user', 'admin'] })
      .notNull()
      .default('user'),
    created_at: integer().notNull(),
    last_seen_at: integer().notNull(),
    /**
     * Set by an administrator. While it is set, the user has no session and cannot create links.
     */
    suspended_at: integer(),
    suspended_reason: text(),
    /**
     * When the report on all links was last read, to the day, and since when it is in use. Null =
     * never.
     */
    report_read_at: integer(),
    report_used_since: integer(),
    /** The domain for new links; '' for the deployment's own short host. */
    default_domain: text().$type<DomainId>().notNull().default(''),
  },
  (t) => [
    index('users_by_email').on(t.email),
    index('users_by_created').on(t.created_at),
    index('users_by_report_read')
      .on(t.report_read_at)
      .where(sql`report_read_at is not null`),
  ],
);

/**
 * Deleted accounts, as SHA-256 of their ids, so that a token that outlives its account does not
 * create it again.
 */
export const deleted_users = sqliteTable('deleted_users', {
  id_hash: text().primaryKey(),
  deleted_at: integer().notNull(),
});

/**
 * The part of a deleted account that is kept: a suspension, a demotion, and the used quota until
 * its cycle ends (`quota_until`; the quota columns are then cleared). The key is an HMAC of the
 * address with AUTH_SECRET, so no address is stored.
 */
export const address_standing = sqliteTable(
  'address_standing',
  {
    address_hash: text().primaryKey(),
    suspended_at: integer(),
    suspended_reason: text(),
    demoted_at: integer(),
    cycle_anchor: integer(),
    billing_cycle_start: integer(),
    current_usage: integer(),
    quota_until: integer(),
  },
  (t) => [
    index('address_standing_by_quota_until')
      .on(t.quota_until)
      .where(sql`${t.quota_until} is not null`),
  ],
);

/**
 * `cycle_anchor` sets the day of the month on which cycles start. `billing_cycle_start` is the
 * start of the current cycle. From `downgrade_at` on the plan is Free, even if `plan` differs; null
 * if no downgrade is planned.
 */
export const subscriptions = sqliteTable('subscriptions', {
  user_id: text().primaryKey(),
  plan: text({ enum: ['free', 'premium'] })
    .notNull()
    .default('free'),
  monthly_limit: integer().notNull(),
  current_usage: integer().notNull().default(0),
  cycle_anchor: integer().notNull(),
  billing_cycle_start: integer().notNull(),
  updated_at: integer().notNull(),
  downgrade_at: integer(),
  /** Links that were imported with their codes since the allowance for that was last renewed. */
  imported_links: integer().notNull().default(0),
  /** See `TakeStep` in db/batch.ts. */
  attempt: text(),
});
