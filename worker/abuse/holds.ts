import { sql, type SQL } from 'drizzle-orm';
import { jsonList, jsonRows, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { shownStatus } from '#worker/db/link-status.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { addIdsToOutbox, isChangedAt } from '#worker/edge/outbox.ts';

/**
 * One reason to keep links disabled. `reason` is shown on the 410 page. 'owner' holds are written
 * by this file only.
 */
export type Hold = {
  kind: Exclude<(typeof link_holds.kind.enumValues)[number], 'owner'>;
  value: string;
  reason: string;
};

/**
 * The links that one batch changes. Its statements stay well below D1's limits of time and size.
 */
const LINKS_PER_BATCH = 1000;

export type PlaceHold = {
  hold: Hold;
  /** A condition on `links`: which links to hold. */
  where: SQL;
  now: number;
  /**
   * Statements for the first batch (the audit entry, the report). That batch runs even if there is
   * no link to hold.
   */
  alongside?: Statement[];
  /** Evaluated in every batch: if it is false, nothing is held. */
  condition?: SQL;
};

/**
 * Holds every link that `where` selects. A link may have several holds; if its owner had disabled
 * it, that is stored as a hold, too. Returns the ids of the links whose state changed. The caller
 * publishes them.
 */
export async function placeHold(
  db: Db,
  { hold, where, now, alongside = [], condition }: PlaceHold,
): Promise<number[]> {
  const changed: number[] = [];
  let extra = alongside;
  let last = 0;
  for (;;) {
    const rows = await db.all<{ id: number }>(
      sql`select id from ${links} where id > ${last} and (${where}) and status <> 'deleted' and not exists (
        select 1 from ${link_holds} where link_id = ${links}.id and kind = ${hold.kind} and value = ${hold.value})
        order by id limit ${LINKS_PER_BATCH}`,
    );
    if (rows.length === 0 && extra.length === 0) return changed;
    const holds = rows.map(({ id }) => ({ link_id: id, value: hold.value }));
    changed.push(
      ...(await holdLinks(db, {
        kind: hold.kind,
        reason: hold.reason,
        holds,
        now,
        alongside: extra,
        condition,
      })),
    );
    extra = [];
    if (rows.length < LINKS_PER_BATCH) return changed;
    last = rows.at(-1)?.id ?? last;
  }
}

type HoldLinks = Pick<Hold, 'kind' | 'reason'> & {
  holds: { link_id: number; value: string }[];
  now: number;
  alongside?: Statement[];
  condition?: SQL | undefined;
};

/**
 * Places `holds` in one batch. Returns the ids of the links whose state changed. The caller
 * publishes them.
 */
export async function holdLinks(
  db: Db,
  { kind, reason, holds, now, alongside = [], condition = sql`1` }: HoldLinks,
): Promise<number[]> {
  const ids = [...new Set(holds.map(({ link_id }) => link_id))];
  return updateStates(db, ids, now, [
    ...alongside,
    sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select id, 'owner', '', coalesce(disabled_reason, ''), ${now} from ${links}
      where id in ${jsonList(ids)} and status = 'disabled' and disabled_by = 'owner'
      on conflict do nothing`,
    sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select link_id, ${kind}, value, ${reason}, ${now} from ${jsonRows(['link_id', 'value'], holds)} where ${condition} on conflict do nothing`,
  ]);
}

/**
 * Lifts the holds that `where` (a condition on `link_holds`) selects. A link becomes active again
 * only if no other hold is left, and stays disabled if its owner had disabled it. `alongside` is as
 * in `placeHold`. Returns the ids of the links whose state changed. The caller publishes them.
 */
export async function liftHolds(
  db: Db,
  where: SQL,
  now: number,
  alongside: Statement[] = [],
): Promise<number[]> {
  const changed: number[] = [];
  let extra = alongside;
  for (;;) {
    const rows = await db.all<{ link_id: number }>(
      sql`select distinct link_id from ${link_holds} where (${where}) and kind <> 'owner' order by link_id limit ${LINKS_PER_BATCH}`,
    );
    if (rows.length === 0 && extra.length === 0) return changed;
    const ids = rows.map((row) => row.link_id);
    const among = sql`link_id in ${jsonList(ids)}`;
    const lift = sql`delete from ${link_holds} where ${among} and (${where}) and kind <> 'owner'`;
    changed.push(...(await updateStates(db, ids, now, [...extra, lift])));
    extra = [];
    if (rows.length < LINKS_PER_BATCH) return changed;
  }
}

/**
 * Runs `first` and then derives the links' states from their holds, in one batch. Returns the ids
 * of changed links.
 */
async function updateStates(
  db: Db,
  ids: number[],
  now: number,
  first: Statement[],
): Promise<number[]> {
  const among = jsonList(ids);
  const areChanged = sql`${links.id} in ${among} and ${isChangedAt(now)} and ${links.status} <> 'deleted'`;
  const { changed } = await runNamedBatch(db, {
    first,
    changed: deriveStates(among, now),
    events: recordLinkEvents(
      sql`iif(${links.status} = 'disabled', 'link.disabled', 'link.updated')`,
      areChanged,
      now,
      ['status', 'statusReason'],
    ),
    // An 'owner' hold is needed only beside another hold. Without one, links.disabled_by has the
    // same meaning.
    forgetOwner: sql`delete from ${link_holds} where kind = 'owner'
      and link_id in ${among}
      and not exists (select 1 from ${link_holds} as other where other.link_id = ${link_holds}.link_id and other.kind <> 'owner')`,
    outbox: addIdsToOutbox(db, ids, now),
  });
  return changed.rows.map(({ id }) => id);
}

/**
 * `instr` lists the kinds of holds in order of precedence. The first one determines who disabled a
 * link and why.
 */
function deriveStates(ids: SQL, now: number): SQL<{ id: number }> {
  const precedence = sql.raw(
    `order by instr('link user host blocklist reputation owner', h.kind) limit 1`,
  );
  return sql<{ id: number }>`
    update ${links} set
      status = case when top.kind is null then 'active' else 'disabled' end,
      disabled_by = top.by, disabled_reason = top.reason, version = version + 1, updated_at = ${now}
    from (
      select id, kind, reason, case when kind in ('link', 'user', 'host') then 'admin' else kind end as by from (
        select l.id as id,
          (select h.kind from ${link_holds} as h where h.link_id = l.id ${precedence}) as kind,
          (select nullif(h.reason, '') from ${link_holds} as h where h.link_id = l.id ${precedence}) as reason
        from ${links} as l where l.id in ${ids}
      )
    ) as top
    where ${links}.id = top.id and ${links}.status <> 'deleted'
      and not (top.kind is null and ${links}.disabled_by is 'owner')
      and (case when top.kind is null then 'active' else 'disabled' end, top.by, top.reason)
        is not (${shownStatus()}, ${links}.disabled_by, ${links}.disabled_reason)
    returning ${links}.id as id`;
}
