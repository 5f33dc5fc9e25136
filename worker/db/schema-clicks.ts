import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Tables of clicks (docs/data-model.md#the-life-of-a-count). Drizzle does not know `link_days_0` to
 * `link_days_3` and `click_windows_<day>`, because tables whose rows expire are dropped whole and
 * created again (worker/clicks/fold/tables.ts).
 */

const sums = {
  human: integer().notNull().default(0),
  bot: integer().notNull().default(0),
  prefetch: integer().notNull().default(0),
  visitors: integer().notNull().default(0),
};

/**
 * Totals of a link since it was created, and the counts of its latest day. Every fold that changes
 * the link raises `rev`. `recent` is a JSON array of its latest human clicks, newest first; it may
 * hold more than reports show.
 */
export const link_totals = sqliteTable('link_totals', {
  link_id: integer().primaryKey(),
  ...sums,
  first_at: integer(),
  last_at: integer(),
  recent: text().notNull().default('[]'),
  rev: integer().notNull().default(0),
  /**
   * The latest day with clicks, in days since 1970; 0 = none. `counts` belong to this day; earlier
   * days are rows of `link_days`.
   */
  day: integer().notNull().default(0),
  counts: text().notNull().default('[0,0,0,0]'),
  /**
   * A JSON array of the keys of windows that were counted with this row
   * (worker/clicks/fold/window-ids.ts).
   */
  window_ids: text().notNull().default('[]'),
  /**
   * The visitors of each day whose key existed at the last fold, as JSON: their hashes
   * (worker/clicks/fold/visitor-set.ts) by day number.
   */
  visitor_sets: text().notNull().default('{}'),
});

/**
 * The sum of a link's days in a month (months since 1970), up to and including the day `through`.
 * The table is WITHOUT ROWID in the migration.
 */
export const link_months = sqliteTable(
  'link_months',
  {
    link_id: integer().notNull(),
    month: integer().notNull(),
    through: integer().notNull(),
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.month] })],
);

/** The key of each UTC day (days since 1970-01-01), destroyed 48 hours after the day began. */
export const visitor_keys = sqliteTable('visitor_keys', {
  day: integer().primaryKey(),
  key: text().notNull(),
});

/** Queue messages that cannot be counted, stored so that a person can look at them. */
export const click_faults = sqliteTable('click_faults', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  reason: text().notNull(),
  body: text().notNull(),
});
