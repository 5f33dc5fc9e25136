import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { HEALTH_REASONS, HEALTH_STATES } from '#contract/links/watch.ts';

/** Tables of the checks of destinations (worker/watch). */

/**
 * What checks have found about the destination of a watched link. The row is about `home`: if the
 * link leads neither there nor to `fallback`, its owner has changed the destination, and the row
 * says nothing about the new one.
 */
export const link_health = sqliteTable(
  'link_health',
  {
    link_id: integer().primaryKey(),
    /** The destination that the owner chose. */
    home: text().notNull(),
    /** The destination that replaced it while it is dead; '' for none. */
    fallback: text().notNull().default(''),
    state: text({ enum: HEALTH_STATES }).notNull(),
    reason: text({ enum: HEALTH_REASONS }).notNull(),
    /** The HTTP status of the last answer, if there was one. */
    status: integer(),
    fails: integer().notNull().default(0),
    first_failed_at: integer(),
    since: integer().notNull(),
    checked_at: integer().notNull(),
    /** When the owner was told that it is dead. */
    mailed_at: integer(),
  },
  (t) => [
    index('link_health_to_mail')
      .on(t.link_id)
      .where(sql`state = 'dead' and mailed_at is null`),
  ],
);

/** The next request of a check of `home` that has begun. */
export const link_check_steps = sqliteTable('link_check_steps', {
  link_id: integer().primaryKey(),
  home: text().notNull(),
  url: text().notNull(),
  method: text({ enum: ['HEAD', 'GET'] }).notNull(),
  hops: integer().notNull(),
});

/**
 * When a host may get the next request of a check, for the whole installation. While a request is
 * under way, this is far enough ahead that it has ended by then. The table is WITHOUT ROWID in the
 * migration.
 */
export const check_hosts = sqliteTable('check_hosts', {
  host: text().primaryKey(),
  free_at: integer().notNull(),
});
