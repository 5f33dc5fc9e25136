import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Why a link is disabled, one row per reason: lifting one hold leaves the others in force.
 * `links.status`, `disabled_by` and `disabled_reason` follow from the hold with the highest
 * priority. The kinds 'link', 'host' and 'user' are an administrator's action on that scope,
 * 'blocklist' is an entry of the blocklist, 'reputation' a bad reputation of the host, and 'owner'
 * means that the owner disabled the link. `value` is the host or the blocklist entry, '' for other
 * kinds. The table is WITHOUT ROWID in the migration.
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
    /** The target when the link was reported, because its owner can change it. */
    target: text(),
    target_host: text(),
    /** The target when the report was dismissed. Null for a deleted link, and for other reports. */
    dismissed_target: text(),
    /**
     * The number of similar reports that were not stored after this one, because there were enough
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
