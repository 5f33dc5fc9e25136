import { sql, type SQL } from 'drizzle-orm';
import { link_cards } from './schema-cards.ts';
import { links } from './schema-links.ts';

/**
 * The preview card of a link, as D1 has it. `image` is the name of its picture, '' for none; `at` is
 * when it last changed (ms since 1970).
 */
export type StoredCard = { title: string; description: string; image: string; at: number };

/** SQL for the card of a row of `links` as JSON; null for none. Links without one read no row. */
export const cardAsJson: SQL = sql`case when ${links}.card_at is not null then (
  select json_object('title', ${link_cards}.title, 'description', description, 'image', image, 'at', ${links}.card_at)
  from ${link_cards} where ${link_cards}.link_id = ${links}.id) end`;
