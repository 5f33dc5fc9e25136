import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AppLinkFile } from '#contract/pages/app-links.ts';

/** Tables about the installation itself, for readiness, the system page and alerts. */

/**
 * Small facts with a time, at most a few hundred rows: `queue:<name>`, `lost:<hour>`, `size:<day>`,
 * `alert:<signal>` (see `system-facts.ts`). The table is WITHOUT ROWID, so that an upsert writes
 * one row. Drizzle cannot express that, so the migration was edited by hand.
 */
export const system_facts = sqliteTable('system_facts', {
  name: text().primaryKey(),
  at: integer().notNull(),
  value: text().notNull().default(''),
});

/**
 * Click windows that D1 rejected repeatedly, for an administrator to count later. `body` is the
 * queue message without visitor ids, and with parsed user agents.
 */
export const set_aside_windows = sqliteTable('set_aside_windows', {
  id: text().primaryKey(),
  at: integer().notNull(),
  tried_at: integer().notNull(),
  clicks: integer().notNull(),
  reason: text().notNull(),
  body: text().notNull(),
});

/**
 * The last run of each job and its result. Jobs are idempotent and catch up from here after a
 * missed run.
 */
export const job_runs = sqliteTable('job_runs', {
  name: text().primaryKey(),
  started_at: integer().notNull(),
  finished_at: integer(),
  ok: integer({ mode: 'boolean' }).notNull().default(true),
  detail: text().notNull().default(''),
  /** When the first of the consecutive failures started. Null if the last run succeeded. */
  failing_since: integer(),
});

/**
 * One-time links that make the account which opens them an administrator, as SHA-256 hashes of
 * their secrets. Written by `npm run admin -- claim`; a row is deleted when it is used.
 */
export const admin_claims = sqliteTable('admin_claims', {
  token_hash: text().primaryKey(),
  expires_at: integer().notNull(),
});

/**
 * The files by which a phone decides whether an app opens the links of a host, as they are served.
 * `host` is the id of a domain of the operator; '' for the deployment's own short host.
 */
export const app_link_files = sqliteTable(
  'app_link_files',
  {
    host: text().notNull(),
    file: text().$type<AppLinkFile>().notNull(),
    content: text().notNull(),
    changed_at: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.host, t.file] })],
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

/**
 * The key from which the ids that the public API shows are made (link-ids.ts). It has
 * one row, which the migration writes. Links up to the number `numbered_through` have their number
 * as id.
 */
export const link_id_keys = sqliteTable('link_id_keys', {
  key: text().primaryKey(),
  numbered_through: integer().notNull(),
});
