import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * A row of a file that became a link, so that a second import of the row adds nothing. `row_key` is
 * a hash of the members that identify the row (links/import/classify-rows.ts). `import_id` and
 * `line` name the import and its line, so that a repeated request gets the first answer. The table
 * is WITHOUT ROWID in the migration.
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
