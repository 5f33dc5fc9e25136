import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Clicks are never stored one row each: the queue consumer folds them into these counts.
 * The tables are WITHOUT ROWID in the migration (one b-tree, one row written per upsert);
 * Drizzle cannot say that, so the migration is edited by hand where it creates them.
 */

/**
 * One row per click window (a queue message). A window's id is made when it opens and counts once, ever. It is stored behind
 * the epoch day of its first click ('20412.<id>'), so that old ids are one range and need no second index to be found.
 */
export const click_windows = sqliteTable('click_windows', {
  id: text().primaryKey(),
  /** Random per ingestion attempt: only the attempt that inserted the row counts the window. */
  attempt: text().notNull(),
  received_at: integer().notNull(),
});

/** Totals of a link since its creation. `recent` is a JSON array of its last human clicks, newest first. */
export const link_totals = sqliteTable('link_totals', {
  link_id: integer().primaryKey(),
  human: integer().notNull().default(0),
  bot: integer().notNull().default(0),
  prefetch: integer().notNull().default(0),
  visitors: integer().notNull().default(0),
  first_at: integer(),
  last_at: integer(),
  recent: text().notNull().default('[]'),
});

/**
 * Counts per link and period. grain 'h' = hours, 'd' = days, 'm' = months (UTC); `at` is the period's start in ms.
 * A click is counted in exactly one grain: retention folds hours into days, and old days into months.
 */
export const click_counts = sqliteTable(
  'click_counts',
  {
    link_id: integer().notNull(),
    grain: text({ enum: ['h', 'd', 'm'] }).notNull(),
    at: integer().notNull(),
    human: integer().notNull().default(0),
    bot: integer().notNull().default(0),
    prefetch: integer().notNull().default(0),
    visitors: integer().notNull().default(0),
    /** Days with human clicks inside the period: only months need it. */
    active_days: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.grain, t.at] })],
);

/**
 * Human clicks per link, day (or month), dimension and value. dim 'place' = country|region|city,
 * 'agent' = device|browser|os, 'ref' = referrer host. Joined values save written rows; reports split them.
 * Values per link, period and dimension are capped; what is over the cap counts under 'Other'.
 */
export const click_dims = sqliteTable(
  'click_dims',
  {
    link_id: integer().notNull(),
    grain: text({ enum: ['d', 'm'] }).notNull(),
    at: integer().notNull(),
    dim: text({ enum: ['place', 'agent', 'ref'] }).notNull(),
    val: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.grain, t.at, t.dim, t.val] })],
);

/** Who has been counted today: HMAC under a daily key, kept 48 h at the most. */
export const click_visitors = sqliteTable(
  'click_visitors',
  {
    day: integer().notNull(),
    link_id: integer().notNull(),
    visitor: text().notNull(),
    attempt: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.link_id, t.visitor] })],
);

/** The key of each UTC day (epoch day number), destroyed after 48 h. */
export const visitor_keys = sqliteTable('visitor_keys', { day: integer().primaryKey(), key: text().notNull() });

/** Messages that could not be read or folded, set aside for a person to look at. */
export const click_faults = sqliteTable('click_faults', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  reason: text().notNull(),
  body: text().notNull(),
});
