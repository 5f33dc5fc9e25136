import { sql, type SQL } from 'drizzle-orm';
import { isUnderReview } from '#worker/abuse/link-holds.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema.ts';

/**
 * A deleted link whose code its owner asks for again (docs/decisions.md#d39). `version` is the tombstone's: the new link
 * starts above it, so that an older record is never taken for the current one.
 */
export type FormerLink = { id: number; version: number };

/** The member's deleted link with exactly this code; null if there is none. Somebody else's link is never found. */
export async function findFormerLink(
  db: Db,
  userId: string,
  code: string,
): Promise<{ link: FormerLink; isUnderReview: boolean } | null> {
  const [row] = await db.all<FormerLink & { under_review: number }>(
    sql`select id, version, ${isUnderReview()} as under_review from ${links}
      where host = '' and code = ${code} and user_id = ${userId} and status = 'deleted'`,
  );
  return row === undefined ? null : { link: { id: row.id, version: row.version }, isUnderReview: row.under_review === 1 };
}

/** True in SQL for the row of a former link that is still as it was found and may release its code. */
const mayRelease = ({ id, version }: FormerLink): SQL =>
  sql`id = ${id} and version = ${version} and host = '' and status = 'deleted' and not ${isUnderReview()}`;

/** True in SQL while a former link may release its code. */
export const isReleasable = (former: FormerLink): SQL => sql`exists (select 1 from ${links} where ${mayRelease(former)})`;

/**
 * The statement that releases a former link's code, for the batch that gives it to another link. It changes one row if `when` is
 * true. The host '#<id>' belongs to nobody: the row keeps its code, its owner and its counts, late clicks are still counted for
 * it, and it has no edge record.
 */
export const releaseCode = (former: FormerLink, now: number, when: SQL): Statement =>
  sql`update ${links} set host = '#' || id, updated_at = ${now} where ${mayRelease(former)} and ${when}`;

/** True in SQL for a link whose code has its own edge record: it has not released its code. */
export const hasCode: SQL = sql`${links}.earlier_code_of is null and substr(${links}.host, 1, 1) <> '#'`;

/** True in SQL for a link that has an edge record: under its code, or under an earlier one. */
export const hasEdgeRecord: SQL = sql`(${hasCode} or exists (
  select 1 from ${links} as former where former.earlier_code_of = ${links}.id))`;

/** The statement that takes a former link off the outbox once it has released its code, for the end of the batch. */
export const removeFromOutbox = ({ id }: FormerLink): Statement =>
  sql`delete from ${link_outbox} where link_id in (select id from ${links} where id = ${id} and not (${hasEdgeRecord}))`;
