import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { SHARED_PERIODS, type SharedPart } from '#contract/reports/shared-reports.ts';

/**
 * Read-only reports that a member shares by a secret address: of a link or of a tag. `secret_hash`
 * is the SHA-256 of the secret. Days are since 1970. A restore merges them like API keys
 * (backup/keep-decisions.ts), so the id is random.
 */
export const shared_reports = sqliteTable(
  'shared_reports',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    link_id: integer(),
    tag_id: integer(),
    secret_hash: text().notNull(),
    title: text().notNull(),
    parts: text({ mode: 'json' }).$type<SharedPart[]>().notNull(),
    period: text({ enum: SHARED_PERIODS }).notNull(),
    /** The days of the period `dates`; null for other periods. */
    first_day: integer(),
    last_day: integer(),
    expires_at: integer(),
    password_hash: text(),
    created_at: integer().notNull(),
    /** Changes with every change of the report, so that no cached copy outlives it. */
    updated_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('shared_reports_by_secret').on(t.secret_hash),
    index('shared_reports_by_user').on(t.user_id, t.created_at),
    index('shared_reports_by_tag')
      .on(t.tag_id)
      .where(sql`tag_id is not null`),
    index('shared_reports_by_end')
      .on(t.expires_at)
      .where(sql`expires_at is not null`),
  ],
);
