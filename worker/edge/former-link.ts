import { sql, type SQL } from 'drizzle-orm';
import { isHeld } from './link-holds.ts';
import { jsonList, jsonRows, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasKey, link_outbox, links } from '#worker/db/schema-links.ts';
import { isTakenIgnoringCase } from './taken-codes.ts';

/**
 * A deleted link whose code its owner wants to use again (docs/decisions.md#d39). `version` is that
 * of its tombstone in KV. The new link starts above it, so that readers reject older records.
 */
export type FormerLink = { id: number; version: number };

/**
 * A former link with what decides whether it may release its code. A link on hold keeps its code;
 * open reports don't matter, because they move to the new link (safety/follow-reports.ts).
 * `isShared` is true if another link has a code that differs only by case.
 */
export type FoundFormer = { link: FormerLink; isHeld: boolean; isShared: boolean };

/**
 * Returns the member's deleted links with exactly these codes, by code. Links of other accounts are
 * never returned.
 */
export async function findFormerLinks(
  db: Db,
  userId: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, FoundFormer>> {
  if (codes.length === 0) return new Map();
  const rows = await db.all<FormerLink & { code: string; held: number; shared: number }>(
    sql`select ${links}.id, ${links}.version, ${links}.code, ${isHeld()} as held,
      ${isTakenIgnoringCase(sql`item.value`, (name) => sql`${sql.raw(name)}.id <> ${links}.id`)} as shared
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
 * True in SQL for a former link that is unchanged since it was read and may release its code.
 * `former` is a row of `rowsOf`.
 */
const mayRelease = sql`${links}.id = former.id and ${links}.version = former.version
  and ${links}.released_at is null and ${links}.status = 'deleted' and not ${isHeld()}`;

const rowsOf = (formers: readonly FormerLink[]): SQL =>
  sql`${jsonRows(['id', 'version'], formers)} as former`;

/** True in SQL while all these former links may release their codes. */
const areReleasable = (formers: readonly FormerLink[]): SQL =>
  formers.length === 0
    ? sql`1`
    : sql`not exists (select 1 from ${rowsOf(formers)} where not exists (select 1 from ${links} where ${mayRelease}))`;

/**
 * Returns the statements that release the codes of former links if `when` is true, for the batch
 * that gives the codes to other links. The rows keep their codes, owners and counts, but have no
 * edge records.
 */
const releaseCodes = (formers: readonly FormerLink[], now: number, when: SQL): Statement[] =>
  formers.length === 0
    ? []
    : [
        sql`update ${links} set released_at = ${now}, updated_at = ${now} where id in ${idsOf(formers)}
          and exists (select 1 from ${rowsOf(formers)} where ${mayRelease}) and ${when}`,
      ];

const idsOf = (formers: readonly FormerLink[]): SQL => jsonList(formers.map(({ id }) => id));

/** True in SQL for a link whose code has its own edge record: it has not released its code. */
export const hasCode: SQL = sql`${links}.earlier_code_of is null and ${links}.released_at is null`;

/** True in SQL for a link that has an edge record: under its code, or under an earlier one. */
export const hasEdgeRecord: SQL = sql`(${hasCode} or exists (
  select 1 from ${links} as earlier where earlier.earlier_code_of = ${links}.id))`;

/**
 * Returns the statements that remove former links from the outbox once they have released their
 * codes, for the end of the batch.
 */
const removeFromOutbox = (formers: readonly FormerLink[]): Statement[] =>
  formers.length === 0
    ? []
    : [
        sql`delete from ${link_outbox} where link_id in
          (select id from ${links} where id in ${idsOf(formers)} and not (${hasEdgeRecord}))`,
      ];

/** Returns the parts of a batch that gives the codes of former links to other links. */
export const takeOverCodes = (formers: readonly FormerLink[], now: number) => ({
  /** True in SQL while the codes may be taken over, before `release`. */
  mayTake: areReleasable(formers),
  release: (when: SQL): Statement[] => releaseCodes(formers, now, when),
  /** For the end of the batch, once the codes belong to their new links. */
  settled: removeFromOutbox(formers),
});
