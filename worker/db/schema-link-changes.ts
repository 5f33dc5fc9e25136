import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RedirectStatus } from '#contract/rule-conditions.ts';
import type { WatchMode } from '#contract/watch.ts';
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
    expires_at: integer(),
    status: storedLinkStatus().notNull(),
    title: text().notNull(),
    note: text().notNull(),
    forward_params: text().notNull().default(''),
    starts_at: integer(),
    fallback_url: text().notNull().default(''),
    redirect_status: integer().$type<RedirectStatus>().notNull().default(302),
    rules: text().notNull().default(''),
    variants: text().notNull().default(''),
    /** The hash without its key, which only tells one password from another; '' for none. */
    password_hash: text().notNull().default(''),
    click_limit: integer(),
    limit_open: integer({ mode: 'boolean' }).notNull().default(false),
    card_at: integer(),
    watch: text().$type<WatchMode>().notNull().default('off'),
    watch_fallback: text().notNull().default(''),
    /** Whether it followed a check of the destination, so that nobody made it. */
    by_watcher: integer({ mode: 'boolean' }).notNull().default(false),
    code: text().notNull(),
    /** A JSON array of ids. */
    tags: text().notNull(),
    archived: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.at] })],
);
