import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * The product's tables. Times are integer milliseconds since 1970, UTC. The click tables stand in
 * `schema-clicks.ts`, the embedded sign-in's in `schema-auth.ts`.
 * No foreign keys: rows outlive each other on purpose (a deleted link keeps its counts and its code).
 */

/** One row per person who has made a verified request, whichever sign-in service vouched for them. */
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
    /** Set by an administrator: no session and no new link while it is not null. */
    suspended_at: integer(),
    suspended_reason: text(),
  },
  (t) => [index('users_by_email').on(t.email), index('users_by_created').on(t.created_at)],
);

/** Accounts that deleted themselves, as SHA-256 of the id: a token that outlives its account opens nothing. */
export const deleted_users = sqliteTable('deleted_users', {
  id_hash: text().primaryKey(),
  deleted_at: integer().notNull(),
});

/**
 * What outlives an account: an address that an administrator suspended or demoted stays so, and a used-up quota stays used
 * up until its cycle ends (`quota_until`, then the quota columns are cleared). The key is an HMAC of the address under
 * AUTH_SECRET: no address is stored.
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

/** `cycle_anchor` fixes the day of month on which cycles start; `billing_cycle_start` is the running cycle's. */
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
});

/**
 * The truth about every short link; KV holds copies. `(host, code)` is a link's identity: host '' is the
 * deployment's own short host, other values are for custom domains. `version` rises with every change, so
 * that an old KV copy can be told from a new one. A deleted link keeps its row: its code is never re-issued.
 */
export const links = sqliteTable(
  'links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    host: text().notNull().default(''),
    code: text().notNull(),
    is_alias: integer({ mode: 'boolean' }).notNull().default(false),
    target: text().notNull(),
    target_host: text().notNull(),
    user_id: text(),
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
  },
  (t) => [
    uniqueIndex('links_by_code').on(t.host, t.code),
    // Decision 14: two aliases that differ only by case are not both allowed; generated codes may.
    uniqueIndex('links_by_alias')
      .on(t.host, sql`lower(${t.code})`)
      .where(sql`${t.is_alias} = 1`),
    index('links_by_user').on(t.user_id, t.id),
    index('links_by_target_host').on(t.target_host),
    index('links_to_recheck')
      .on(t.recheck_at)
      .where(sql`${t.recheck_at} is not null`),
  ],
);

/**
 * Why a link is disabled, one row per reason: lifting one leaves the others in force. `links.status`, `disabled_by` and
 * `disabled_reason` follow from the weightiest hold. kind 'link', 'host', 'user' = an administrator's action on that scope,
 * 'blocklist' = an entry of the list (`value`), 'owner' = what the owner had switched off before somebody weightier did.
 * `value` is the host or the entry; '' for the others. The table is WITHOUT ROWID in the migration.
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
  (t) => [primaryKey({ columns: [t.link_id, t.kind, t.value] }), index('link_holds_by_value').on(t.kind, t.value)],
);

/** Links whose KV copy may be behind D1. Written in the batch that changes the link; cron puts what a failed put left. */
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
 * Blog posts. `slug` is a published post's slug, and '<author id>/<slug>' for a draft: the unique index keeps slugs unique among
 * published posts, and drafts' slugs per author (`blog/stored-slug.ts`).
 */
export const posts = sqliteTable(
  'posts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    published: integer({ mode: 'boolean' }).notNull().default(false),
    author_id: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    published_at: integer(),
  },
  (t) => [
    uniqueIndex('posts_by_slug').on(t.slug),
    index('posts_by_published').on(t.published, t.created_at),
    index('posts_by_author').on(t.author_id, t.created_at),
  ],
);

/** Who changed what, when, from what to what. `before` and `after` are JSON. */
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

/** What visitors say about a link; no address and no name is kept. */
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
  },
  (t) => [index('abuse_reports_by_status').on(t.status, t.created_at), index('abuse_reports_by_link').on(t.link_id)],
);

/** Hosts (with their subdomains) and exact targets (hrefs) that no link may lead to. */
export const blocklist = sqliteTable(
  'blocklist',
  {
    kind: text({ enum: ['host', 'target'] }).notNull(),
    value: text().notNull(),
    reason: text().notNull().default(''),
    added_by: text(),
    created_at: integer().notNull(),
    /** 0 until cron has disabled the existing links that this entry catches. */
    applied_at: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.kind, t.value] }), index('blocklist_by_applied').on(t.applied_at)],
);

/** Exact counters with an end (sign-in failures, visitors' daily links, mails); keys hold no raw address. */
export const counters = sqliteTable(
  'counters',
  { key: text().primaryKey(), count: integer().notNull(), expires_at: integer().notNull() },
  (t) => [index('counters_by_expires').on(t.expires_at)],
);

/** When each cron job last ran and what it found. Jobs are idempotent and catch up from here after a missed run. */
export const job_runs = sqliteTable('job_runs', {
  name: text().primaryKey(),
  started_at: integer().notNull(),
  finished_at: integer(),
  ok: integer({ mode: 'boolean' }).notNull().default(true),
  detail: text().notNull().default(''),
});
