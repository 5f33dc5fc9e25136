import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { QrStyle } from '#contract/presets/qr-presets.ts';

/** Saved filters and order of the list of links. `filters` is JSON (contract/presets/views.ts). */
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

export const qr_presets = sqliteTable(
  'qr_presets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text().notNull(),
    name: text().notNull(),
    style: text({ mode: 'json' }).$type<QrStyle>().notNull(),
    /** A PNG image as a `data:` URL of at most QR_LOGO_MAX_BYTES; '' for none. */
    logo: text().notNull(),
    is_default: integer({ mode: 'boolean' }).notNull().default(false),
    created_at: integer().notNull(),
  },
  (t) => [uniqueIndex('qr_presets_by_name').on(t.user_id, sql`lower(${t.name})`)],
);
