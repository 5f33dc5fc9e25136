import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { makeSettingColumns } from './setting-columns.ts';
import { storedLinkStatus } from './link-status.ts';

/**
 * The state of a link that a change by its owner replaced at `at`. The table is WITHOUT ROWID in
 * the migration.
 */
export const link_changes = sqliteTable(
  'link_changes',
  {
    link_id: integer().notNull(),
    at: integer().notNull(),
    /** The name of the API key that made the change; '' for the owner's own pages. */
    key_name: text().notNull().default(''),
    target: text().notNull(),
    status: storedLinkStatus().notNull(),
    title: text().notNull(),
    note: text().notNull(),
    ...makeSettingColumns(),
    /** The hash without its key, by which only a change can be seen; '' for no password. */
    password_hash: text().notNull().default(''),
    card_at: integer(),
    /** Whether a check of the destination made the change. */
    by_watcher: integer({ mode: 'boolean' }).notNull().default(false),
    code: text().notNull(),
    /** A JSON array of ids. */
    tags: text().notNull(),
    archived: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.at] })],
);
