import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';

/**
 * A link that was renamed is found by its current code and by its earlier ones. Each earlier code
 * is a separate row of `links`, whose `earlier_code_of` names the link (docs/decisions.md#d51).
 */

/** SQL for the id of the link that has or had this code; null for an unknown code. */
export const idOfCode = (code: string): SQL =>
  sql`(select coalesce(named.earlier_code_of, named.id) from ${links} as named where ${hasKey(code, 'named')})`;

/** SQL for the earlier codes of a row of `links` as a JSON array, the latest first. */
export const earlierCodesAsJson: SQL<string> = sql<string>`(select json_group_array(code) from (
  select earlier.code from ${links} as earlier where earlier.earlier_code_of = ${links}.id order by earlier.id desc))`;

export const parseCodes = (json: string): string[] => JSON.parse(json);

export const earlierCodesColumn = sql<string>`${earlierCodesAsJson}`.mapWith(parseCodes);

/** True if a link that has or had this code exists and is not deleted. */
export async function codeExists(db: Db, code: string): Promise<boolean> {
  const row = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.id, idOfCode(code)), ne(links.status, 'deleted')))
    .get();
  return row !== undefined;
}
