import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Tables about an account and its links together. Those with a text key are WITHOUT ROWID, which
 * Drizzle cannot express.
 */

/**
 * The clicks of a day (in days since 1970) on all links of a member that are not deleted, rolled up
 * from the counts of the links (clicks/accounts/roll-up-accounts.ts). `counts` is as in
 * worker/clicks/fold/counts.ts. `top` is a JSON array that alternates the ids of the most clicked
 * links and their clicks. Every change raises `rev`.
 */
export const account_days = sqliteTable(
  'account_days',
  {
    user_id: text().notNull(),
    day: integer().notNull(),
    rev: integer().notNull(),
    counts: text().notNull(),
    top: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.day] })],
);

/**
 * The part of a link's counts that `account_days` includes: the account, the totals and
 * `link_totals.rev` at that time, and the counts of the link's last two days with clicks, as a JSON
 * array of `[day, counts]`.
 */
export const rolled_up_links = sqliteTable('rolled_up_links', {
  link_id: integer().primaryKey(),
  user_id: text().notNull(),
  rev: integer().notNull(),
  human: integer().notNull(),
  bot: integer().notNull(),
  prefetch: integer().notNull(),
  visitors: integer().notNull(),
  days: text().notNull(),
});

/** The totals above a member's list, for accounts with too many links to sum up at each request. */
export const account_totals = sqliteTable('account_totals', {
  user_id: text().primaryKey(),
  links: integer().notNull(),
  clicks: integer().notNull(),
  active: integer().notNull(),
  counted_at: integer().notNull(),
});

/**
 * Members who get the weekly mail. `sent_week` is the Monday of the last mail, in days since 1970.
 */
export const weekly_mails = sqliteTable(
  'weekly_mails',
  {
    user_id: text().primaryKey(),
    since: integer().notNull(),
    sent_week: integer().notNull(),
  },
  (t) => [index('weekly_mails_by_sent').on(t.sent_week)],
);
