import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/**
 * Tables of the product; the other `schema-*.ts` have those of the blog, clicks, sign-in, API,
 * tags, QR presets, accounts and system. Times are ms since 1970. There are no foreign keys,
 * because rows outlive each other on purpose: a deleted link keeps its counts and its code.
 */

/**
 * One row per person who has made a request with a verified token, of the embedded or the hosted
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
     * Set by an administrator. While it is not null, the user has no session and creates no link.
     */
    suspended_at: integer(),
    suspended_reason: text(),
    /**
     * When the report on all links was last asked for, to the day, and since when it is in use.
     * Null = never.
     */
    report_read_at: integer(),
    report_used_since: integer(),
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
 * Deleted accounts, as SHA-256 of their id: a token that outlives its account must not create it
 * again.
 */
export const deleted_users = sqliteTable('deleted_users', {
  id_hash: text().primaryKey(),
  deleted_at: integer().notNull(),
});

/**
 * What outlives a deleted account: a suspension, a demotion, and the used quota until its cycle
 * ends (`quota_until`; the quota columns are then cleared). The key is an HMAC of the address with
 * AUTH_SECRET, so no address is stored.
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
 * start of the current cycle. From `downgrade_at` on, the plan is Free, even while `plan` still
 * says otherwise; null if no downgrade is planned.
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
  /** See `TakeStep` in db/batch.ts. */
  attempt: text(),
});

/**
 * Links that their owner sees in a list. In SQL text, because a partial index is used only where
 * its own condition appears.
 */
const isKept = sql`status <> 'deleted'`;

/** Links whose key leads to them. */
const isHeldCode = sql`released_at is null`;

/**
 * The source of truth for every short link; edge records in KV are copies. `code` is
 * the link's key (contract/link-key.ts). `version` rises with every change and orders the copies. A deleted link keeps its row, so its
 * code is never given to another owner.
 */
export const links = sqliteTable(
  'links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    code: text().notNull(),
    is_alias: integer({ mode: 'boolean' }).notNull().default(false),
    target: text().notNull(),
    target_host: text().notNull(),
    user_id: text(),
    /** The id that the owner's own system has for the link, set through the public API. */
    external_id: text(),
    status: text({ enum: ['active', 'disabled', 'deleted'] })
      .notNull()
      .default('active'),
    disabled_by: text({ enum: ['owner', 'admin', 'blocklist', 'reputation'] }),
    disabled_reason: text(),
    expires_at: integer(),
    recheck_at: integer(),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    /** What its owner wrote about the link. */
    title: text().notNull().default(''),
    note: text().notNull().default(''),
    favorite: integer({ mode: 'boolean' }).notNull().default(false),
    archived: integer({ mode: 'boolean' }).notNull().default(false),
    /**
     * The link's words in `link_words`, each after a space (links/words/index-words.ts); null
     * before the link was first indexed.
     */
    words: text(),
    /**
     * Query parameters that redirects add to the target: '' for none, '*' for all, or names
     * separated by commas.
     */
    forward_params: text().notNull().default(''),
    /**
     * For a row that only keeps an earlier code of another link: the id of that link
     * (edge/earlier-codes.ts). To everything else such a row is a deleted link without an owner, so
     * that its code is never given out again, by an older Worker neither.
     */
    earlier_code_of: integer(),
    /**
     * Clicks and last click as a job last found them (links/list/rank-links.ts), because lists are
     * ordered by an index of this table.
     */
    ranked_clicks: integer().notNull().default(0),
    ranked_last_click_at: integer().notNull().default(0),
    /** The database that holds the link's clicks (db/shards.ts). It never changes. */
    shard: integer().notNull().default(0),
    /**
     * Clicks that another service counted before the link was imported from there; never part of
     * the counts. Null if unknown.
     */
    imported_clicks: integer(),
    /**
     * The format of the file that the link was imported from (contract/import.ts); null for other
     * links.
     */
    imported_from: text(),
    /**
     * When the link was imported; null for other links. `created_at` is then what its file says.
     */
    imported_at: integer(),
    /** When the target last changed; null if it never did. */
    target_changed_at: integer(),
    /**
     * Until when the link's recent changes count against how often it may be changed
     * (links/write/change-allowance.ts).
     */
    changes_until: integer().notNull().default(0),
    /**
     * When a deleted link gave its code to a new link of its owner (edge/former-link.ts). It keeps
     * its counts, and late clicks are still counted for it.
     */
    released_at: integer(),
  },
  (t) => [
    uniqueIndex('links_by_code').on(t.code).where(isHeldCode),
    // Two aliases must not differ only by case; generated codes may (docs/decisions.md#d14).
    uniqueIndex('links_by_alias')
      .on(sql`lower(${t.code})`)
      .where(sql`is_alias = 1 and released_at is null`),
    index('links_by_user').on(t.user_id, t.id),
    index('links_by_target_host').on(t.target_host),
    // A deleted link releases its external id.
    uniqueIndex('links_by_external_id')
      .on(t.user_id, t.external_id)
      .where(sql`${t.external_id} is not null and ${t.status} <> 'deleted'`),
    index('links_to_recheck')
      .on(t.recheck_at)
      .where(sql`${t.recheck_at} is not null`),
    // One index per order and per filter of a member's list, so that a page costs the same in an
    // account of any size.
    index('links_listed').on(t.user_id, t.archived, t.created_at).where(isKept),
    index('links_listed_by_clicks').on(t.user_id, t.archived, t.ranked_clicks).where(isKept),
    index('links_listed_by_last_click')
      .on(t.user_id, t.archived, t.ranked_last_click_at)
      .where(isKept),
    index('links_listed_by_code')
      .on(t.user_id, t.archived, sql`code collate nocase`)
      .where(isKept),
    index('links_listed_by_host')
      .on(t.user_id, t.archived, t.target_host, t.created_at)
      .where(isKept),
    index('links_favorite')
      .on(t.user_id, t.archived, t.created_at)
      .where(sql`favorite = 1 and status <> 'deleted'`),
    index('links_disabled')
      .on(t.user_id, t.archived, t.created_at)
      .where(sql`status = 'disabled'`),
    index('links_ending')
      .on(t.user_id, t.archived, t.expires_at)
      .where(sql`expires_at is not null and status = 'active'`),
    index('links_trashed')
      .on(t.user_id, t.updated_at)
      .where(sql`status = 'deleted'`),
    index('links_earlier_codes')
      .on(t.earlier_code_of)
      .where(sql`earlier_code_of is not null`),
  ],
);

/**
 * Why a link is disabled, one row per reason: lifting one hold leaves the others in force.
 * `links.status`, `disabled_by` and `disabled_reason` follow from the hold with the highest
 * priority. Kinds 'link', 'host' and 'user' are an administrator's action on that scope,
 * 'blocklist' is an entry of the blocklist, 'reputation' a bad reputation of the host, and 'owner'
 * means that the owner had already disabled the link. `value` is the host or the blocklist entry,
 * '' for other kinds. The table is WITHOUT ROWID in the migration.
 */
export const link_holds = sqliteTable(
  'link_holds',
  {
    link_id: integer().notNull(),
    kind: text({ enum: ['link', 'user', 'host', 'blocklist', 'reputation', 'owner'] }).notNull(),
    value: text().notNull().default(''),
    reason: text().notNull().default(''),
    created_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.link_id, t.kind, t.value] }),
    index('link_holds_by_value').on(t.kind, t.value),
  ],
);

/**
 * Links whose edge record in KV may be older than D1. Written in the batch that changes the link; a
 * job retries failed writes.
 */
export const link_outbox = sqliteTable(
  'link_outbox',
  {
    link_id: integer().primaryKey(),
    version: integer().notNull(),
    queued_at: integer().notNull(),
    attempts: integer().notNull().default(0),
  },
  (t) => [index('link_outbox_by_queued').on(t.queued_at)],
);

/**
 * SHA-256 of the secret with which the browser that created a link can put it into an account,
 * once, before `expires_at`.
 */
export const link_claims = sqliteTable(
  'link_claims',
  {
    link_id: integer().primaryKey(),
    token_hash: text().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [index('link_claims_by_expires').on(t.expires_at)],
);

/** The audit log. `before` and `after` are JSON. */
export const admin_log = sqliteTable(
  'admin_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    admin_id: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    before: text().notNull().default('null'),
    after: text().notNull().default('null'),
    reason: text().notNull().default(''),
  },
  (t) => [index('admin_log_by_subject').on(t.subject)],
);

/** Abuse reports about links. No address and no name of the reporter is stored. */
export const abuse_reports = sqliteTable(
  'abuse_reports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    link_id: integer().notNull(),
    reason: text().notNull(),
    details: text().notNull().default(''),
    status: text({ enum: ['open', 'acted', 'dismissed'] })
      .notNull()
      .default('open'),
    created_at: integer().notNull(),
    closed_at: integer(),
    closed_by: text(),
    /**
     * Where the link led when it was reported, because its owner can change that. Null in reports
     * of an earlier release.
     */
    target: text(),
    target_host: text(),
    /**
     * Where the link led when the report was dismissed; null for a link that was deleted, and for
     * other reports.
     */
    dismissed_target: text(),
    /**
     * Reports like this one that were not stored after it, because there were enough of them
     * (abuse/submit-report.ts).
     */
    not_stored: integer().notNull().default(0),
  },
  (t) => [
    index('abuse_reports_by_status').on(t.status, t.created_at),
    index('abuse_reports_by_link').on(t.link_id),
    index('abuse_reports_by_target_host').on(t.target_host),
  ],
);

/** Hosts, with their subdomains, and exact targets (hrefs) that links must not point to. */
export const blocklist = sqliteTable(
  'blocklist',
  {
    kind: text({ enum: ['host', 'target'] }).notNull(),
    value: text().notNull(),
    reason: text().notNull().default(''),
    added_by: text(),
    created_at: integer().notNull(),
    /** 0 until the job has disabled the existing links that this entry matches. */
    applied_at: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.value] }),
    index('blocklist_by_applied').on(t.applied_at),
  ],
);

/**
 * Exact counters that expire: sign-in failures, visitors' daily links, mails. Keys contain no
 * address.
 */
export const counters = sqliteTable(
  'counters',
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    expires_at: integer().notNull(),
    /** See `TakeStep` in db/batch.ts. */
    attempt: text(),
  },
  (t) => [index('counters_by_expires').on(t.expires_at)],
);
