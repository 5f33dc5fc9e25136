import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Blog posts. `slug` is '<author id>/<slug>' for a draft (`blog/drafts.ts`), so the unique
 * index keeps slugs unique among published posts and among the drafts of one author.
 */
export const posts = sqliteTable(
  'posts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    excerpt: text().notNull().default(''),
    author: text().notNull().default(''),
    /** A JSON array of strings. */
    tags: text({ mode: 'json' }).notNull().$type<string[]>().default([]),
    published: integer({ mode: 'boolean' }).notNull().default(false),
    author_id: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    published_at: integer(),
  },
  (t) => [
    uniqueIndex('posts_by_slug').on(t.slug),
    index('posts_by_published').on(t.published, t.created_at),
    index('posts_by_author').on(t.author_id, t.created_at),
  ],
);
