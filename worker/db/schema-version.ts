import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import journal from '#migrations/meta/_journal.json';
import type { Db } from './client.ts';

/**
 * The newest migration of this release, such as `0027_baseline`. Names begin with a number, so they
 * sort by age.
 */
export const NEEDED_SCHEMA = journal.entries
  .map(({ tag }) => tag)
  .reduce((newest, tag) => (tag > newest ? tag : newest), '');

/**
 * The newest migration of the database, and when the last and the first one were applied, in ms.
 * Throws when D1 does.
 */
export async function readSchema(
  db: Db,
): Promise<{ found: string; appliedAt: number; installedAt: number }> {
  const row = await db.get<{ name: string | null; last: number | null; first: number | null }>(
    sql`select max(name) as name, unixepoch(max(applied_at)) as last,
      unixepoch(min(applied_at)) as first from d1_migrations`,
  );
  return {
    found: (row?.name ?? '').replace(/\.sql$/, ''),
    appliedAt: (row?.last ?? 0) * 1000,
    installedAt: (row?.first ?? 0) * 1000,
  };
}

/** The newest migration of the database, and its size in bytes. Throws when D1 does. */
export async function readSchemaAndSize(db: Db): Promise<{ found: string; bytes: number }> {
  const { results, meta } = await db.run(sql`select max(name) as name from d1_migrations`);
  const [row] = z.array(z.object({ name: z.nullable(z.string()) })).parse(results);
  return { found: (row?.name ?? '').replace(/\.sql$/, ''), bytes: meta.size_after };
}

/**
 * True if this release can use the schema: it has the release's newest migration, or a later one.
 */
export const isCurrent = (found: string): boolean => found >= NEEDED_SCHEMA;
