import { sql, type SQL } from 'drizzle-orm';
import { isHeld } from './link-holds.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasKey, isAliasLike } from '#worker/db/has-key.ts';
import { jsonList } from '#worker/db/json-rows.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { isSpelledAlike } from './spelled-alike.ts';

/**
 * A deleted link whose code its owner asks for again (docs/decisions.md#d39). `version` is the
 * tombstone's: the new link starts above it, so that an older record is never taken for the current
 * one.
 */
export type FormerLink = { id: number; version: number };

/**
 * A former link as it was found. One that is held keeps its code. Reports do not matter here: they
 * follow the code to the new link (safety/follow-reports.ts). `isShared`: another link has a code
 * that differs from this one only by case.
 */
export type FoundFormer = { link: FormerLink; isHeld: boolean; isShared: boolean };

/**
 * The member's deleted links with exactly these codes, by code. Somebody else's links are never
 * found.
 */
export async function findFormerLinks(
  db: Db,
  userId: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, FoundFormer>> {
  if (codes.length === 0) return new Map();
  const rows = await db.all<FormerLink & { code: string; held: number; shared: number }>(
    sql`select ${links}.id, ${links}.version, ${links}.code, ${isHeld()} as held,
      (exists (select 1 from ${links} as other where ${isAliasLike(sql`item.value`, 'other')}
        and other.id <> ${links}.id) or ${isSpelledAlike(sql`item.value`, sql`spelled.id <> ${links}.id`)}) as shared
      from ${jsonList(codes)} as item cross join ${links} on ${hasKey(sql`item.value`)}
      where ${links}.user_id = ${userId} and ${links}.status = 'deleted'`,
  );
  return new Map(
    rows.map(({ id, version, code, held, shared }) => [
      code,
      { link: { id, version }, isHeld: held === 1, isShared: shared === 1 },
    ]),
  );
}

/**
 * True in SQL for the row of a former link that is still as it was found and may release its code.
 * `former` is a row of `rowsOf`.
 */
const mayRelease = sql`${links}.id = former.value ->> 'id' and ${links}.version = former.value ->> 'version'
  and ${links}.released_at is null and ${links}.status = 'deleted' and not ${isHeld()}`;

const rowsOf = (formers: readonly FormerLink[]): SQL =>
  sql`json_each(${JSON.stringify(formers)}) as former`;

/** True in SQL while former links may release their codes, every one of them. */
export const areReleasable = (formers: readonly FormerLink[]): SQL =>
  sql`not exists (select 1 from ${rowsOf(formers)} where not exists (select 1 from ${links} where ${mayRelease}))`;

/**
 * The statement that releases the codes of former links, for the batch that gives them to others.
 * It changes a row for each if `when` is true. Each row keeps its code, its owner and its counts,
 * and has no edge record.
 */
export const releaseCodes = (formers: readonly FormerLink[], now: number, when: SQL): Statement =>
  sql`update ${links} set released_at = ${now}, updated_at = ${now} where id in (select value ->> 'id' from ${rowsOf(formers)})
    and exists (select 1 from ${rowsOf(formers)} where ${mayRelease}) and ${when}`;

/** True in SQL for a link whose code has its own edge record: it has not released its code. */
export const hasCode: SQL = sql`${links}.earlier_code_of is null and ${links}.released_at is null`;

/** True in SQL for a link that has an edge record: under its code, or under an earlier one. */
export const hasEdgeRecord: SQL = sql`(${hasCode} or exists (
  select 1 from ${links} as former where former.earlier_code_of = ${links}.id))`;

/**
 * The statement that takes former links off the outbox once they have released their codes, for the
 * end of the batch.
 */
export const removeFromOutbox = (formers: readonly FormerLink[]): Statement =>
  sql`delete from ${link_outbox} where link_id in (select ${links}.id from ${rowsOf(formers)}
    cross join ${links} on ${links}.id = former.value ->> 'id' where not (${hasEdgeRecord}))`;
