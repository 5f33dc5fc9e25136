import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { TAG_COLORS } from '#contract/tags.ts';

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
 * The tags of links. `link_created_at` is `links.created_at`, which never changes: a tag's links
 * are listed by it.
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

/**
 * The words of a link's code, title, target and note (links/words/words.ts). Those of its tags are
 * found through the tags.
 */
export const link_words = sqliteTable(
  'link_words',
  { user_id: text().notNull(), word: text().notNull(), link_id: integer().notNull() },
  (t) => [primaryKey({ columns: [t.user_id, t.word, t.link_id] })],
);

/**
 * What a change of a link by its owner replaced: the link as it was until `at`. The table is
 * WITHOUT ROWID in the migration.
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
    status: text({ enum: ['active', 'disabled', 'deleted'] }).notNull(),
    title: text().notNull(),
    note: text().notNull(),
    forward_params: text().notNull().default(''),
    code: text().notNull(),
    /** A JSON array of ids. */
    tags: text().notNull(),
    archived: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.at] })],
);

/**
 * A row of a file that became a link, so that a second import of the row adds nothing. `row_key` is
 * a hash of what identifies the row (links/import/judge-import.ts). `import_id` and `line` say which import
 * made the link and from which line, so that a repeated request gets the answer of the first one.
 * The table is WITHOUT ROWID in the migration.
 */
export const link_imports = sqliteTable(
  'link_imports',
  {
    user_id: text().notNull(),
    row_key: text().notNull(),
    link_id: integer().notNull(),
    import_id: text().notNull(),
    line: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.row_key] })],
);

/** Filters and order of the list of links under a name. `filters` is JSON (contract/views.ts). */
export const link_views = sqliteTable(
  'link_views',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text().notNull(),
    name: text().notNull(),
    filters: text().notNull(),
    created_at: integer().notNull(),
  },
  (t) => [uniqueIndex('link_views_by_name').on(t.user_id, sql`lower(${t.name})`)],
);

/** UTM values that a member has saved under a name. */
export const utm_templates = sqliteTable(
  'utm_templates',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text().notNull(),
    name: text().notNull(),
    source: text().notNull(),
    medium: text().notNull(),
    campaign: text().notNull(),
    term: text().notNull(),
    content: text().notNull(),
    created_at: integer().notNull(),
  },
  (t) => [uniqueIndex('utm_templates_by_name').on(t.user_id, sql`lower(${t.name})`)],
);
