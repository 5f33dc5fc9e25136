import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Tables of clicks. A click has no row: the queue consumer adds it to these counts. The tables are WITHOUT ROWID
 * (one b-tree, one row written per upsert). Drizzle cannot express that, so the migration that creates them was edited by hand.
 */

/**
 * One row per click window, which is one queue message. A window's id is created when the window opens and is counted once,
 * ever. The day number of the window's first click comes before it ('20412.<id>'), so old ids form one range and need no
 * second index.
 */
export const click_windows = sqliteTable('click_windows', {
  id: text().primaryKey(),
  /** Random per fold: only the fold that inserted the row counts the window. */
  attempt: text().notNull(),
  received_at: integer().notNull(),
});

/** Totals of a link since it was created. `recent` is a JSON array of its latest human clicks, newest first. */
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
 * Counts per link and period. `grain` is 'h' for hours, 'd' for days, 'm' for months (UTC). `at` is the period's start in ms.
 * A click is counted in exactly one grain: jobs roll hours up into days, and old days into months.
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
    /** Days with human clicks in the period. Used by months only. */
    active_days: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.grain, t.at] })],
);

/**
 * Human clicks per link, day or month, dimension and value. `dim` is 'place' (country|region|city), 'agent'
 * (device|browser|os) or 'ref' (referrer host). Joined values save written rows; reports split them. The number of values
 * per link, period and dimension is capped; clicks beyond the cap are counted under 'Other'.
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

/** Visitors already counted on a day. `visitor` is a visitor id: an HMAC with the day's key. Kept 48 hours at most. */
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

/** The key of each UTC day (days since 1970-01-01), destroyed 48 hours after the day began. */
export const visitor_keys = sqliteTable('visitor_keys', { day: integer().primaryKey(), key: text().notNull() });

/** Queue messages that could not be read, stored so that a person can look at them. */
export const click_faults = sqliteTable('click_faults', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  reason: text().notNull(),
  body: text().notNull(),
});
