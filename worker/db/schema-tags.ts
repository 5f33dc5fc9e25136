import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { TAG_COLORS } from '#contract/links/tags.ts';

/**
 * Tables with which members organise and import their links. Those without a generated id are
 * WITHOUT ROWID, which Drizzle cannot express, so their migration was edited by hand.
 */
export const tags = sqliteTable(
  'tags',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text().notNull(),
    name: text().notNull(),
    color: text({ enum: TAG_COLORS }).notNull(),
    created_at: integer().notNull(),
  },
  (t) => [uniqueIndex('tags_by_name').on(t.user_id, sql`lower(${t.name})`)],
);

/**
 * The tags of links. `link_created_at` is `links.created_at`, which never changes, because the
 * links of a tag are listed in this order.
 */
export const link_tags = sqliteTable(
  'link_tags',
  {
    link_id: integer().notNull(),
    tag_id: integer().notNull(),
    link_created_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.link_id, t.tag_id] }),
    index('link_tags_by_tag').on(t.tag_id, t.link_created_at, t.link_id),
  ],
);
