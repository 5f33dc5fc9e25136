import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The preview cards of links. `image` names the picture's object in the bucket: its SHA-256 and
 * type; '' for none. A trigger deletes the card of a link that loses its target or its owner.
 */
export const link_cards = sqliteTable(
  'link_cards',
  {
    link_id: integer().primaryKey(),
    title: text().notNull(),
    description: text().notNull(),
    image: text().notNull().default(''),
  },
  (t) => [index('link_cards_by_image').on(t.image)],
);
