import { sql, type SQL } from 'drizzle-orm';
import { runBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_holds, links } from '#worker/db/schema.ts';
import { addIdsToOutbox } from '#worker/links/outbox.ts';

export type HoldKind = (typeof link_holds.kind.enumValues)[number];
/** One reason to keep links disabled. `reason` is what the 410 page says. */
export type Hold = { kind: Exclude<HoldKind, 'owner'>; value: string; reason: string };

/** Links that one batch changes: its statements stay well under D1's limits of time and size. */
const CHUNK = 1000;

/**
 * Holds every link that `where` (a condition on `links`) picks. A link may be held for several reasons; what its owner
 * had switched off is remembered. `alongside` (the log, the report) goes into the first batch, which runs also where there
 * is no link to hold; `still` is read in every batch, and where it is false nothing is held. Returns the ids of the links whose state changed: publish them.
 */
export async function placeHold(
  db: Db,
  hold: Hold,
  where: SQL,
  now: number,
  alongside: Statement[] = [],
  still: SQL = sql`1`,
): Promise<number[]> {
  const changed: number[] = [];
  let extra = alongside;
  let last = 0;
  for (;;) {
    const rows = await db.all<{ id: number }>(
      sql`select id from ${links} where id > ${last} and (${where}) and status <> 'deleted' and not exists (
        select 1 from ${link_holds} where link_id = ${links}.id and kind = ${hold.kind} and value = ${hold.value})
        order by id limit ${CHUNK}`,
    );
    if (rows.length === 0 && extra.length === 0) return changed;
    const pairs = rows.map((row): [number, string] => [row.id, hold.value]);
    changed.push(...(await holdPairs(db, hold.kind, hold.reason, pairs, now, extra, still)));
    extra = [];
    if (rows.length < CHUNK) return changed;
    last = rows.at(-1)?.id ?? last;
  }
}

/** Holds each link of `pairs` (link id, value) for one reason, in one batch. Returns the ids whose state changed. */
export async function holdPairs(
  db: Db,
  kind: Hold['kind'],
  reason: string,
  pairs: [number, string][],
  now: number,
  alongside: Statement[] = [],
  still: SQL = sql`1`,
): Promise<number[]> {
  const ids = [...new Set(pairs.map(([id]) => id))];
  const list = JSON.stringify(pairs);
  return settled(db, ids, now, [
    ...alongside,
    sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select id, 'owner', '', coalesce(disabled_reason, ''), ${now} from ${links}
      where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'disabled' and disabled_by = 'owner'
      on conflict do nothing`,
    sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select value ->> 0, ${kind}, value ->> 1, ${reason}, ${now} from json_each(${list}) where ${still} on conflict do nothing`,
  ]);
}

/**
 * Lifts the holds that `where` (a condition on `link_holds`) picks. A link becomes active again only where no other hold
 * is left, and goes back to its owner's 'off' where that was its state. Returns the ids of the links whose state changed.
 */
export async function liftHolds(db: Db, where: SQL, now: number, alongside: Statement[] = []): Promise<number[]> {
  const changed: number[] = [];
  let extra = alongside;
  for (;;) {
    const rows = await db.all<{ link_id: number }>(
      sql`select distinct link_id from ${link_holds} where (${where}) and kind <> 'owner' order by link_id limit ${CHUNK}`,
    );
    if (rows.length === 0 && extra.length === 0) return changed;
    const ids = rows.map((row) => row.link_id);
    const among = sql`link_id in (select value from json_each(${JSON.stringify(ids)}))`;
    const lift = sql`delete from ${link_holds} where ${among} and (${where}) and kind <> 'owner'`;
    changed.push(...(await settled(db, ids, now, [...extra, lift])));
    extra = [];
    if (rows.length < CHUNK) return changed;
  }
}

/** Runs `first` and then lets the links follow from their holds, in one batch. */
async function settled(db: Db, ids: number[], now: number, first: Statement[]): Promise<number[]> {
  const list = JSON.stringify(ids);
  const forgetOwner = sql`delete from ${link_holds} where kind = 'owner'
    and link_id in (select value from json_each(${list}))
    and not exists (select 1 from ${link_holds} as other where other.link_id = ${link_holds}.link_id and other.kind <> 'owner')`;
  const results = await runBatch(db, [...first, settleLinks(list, now), forgetOwner, addIdsToOutbox(db, ids, now)]);
  return (results[first.length] ?? []).flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}

/** The order of the words is the order of weight: the weightiest hold says who disabled a link and why. */
function settleLinks(ids: string, now: number): SQL {
  const weight = sql.raw(`order by instr('link user host blocklist reputation owner', h.kind) limit 1`);
  return sql`
    update ${links} set
      status = case when top.kind is null then 'active' else 'disabled' end,
      disabled_by = top.by, disabled_reason = top.reason, version = version + 1, updated_at = ${now}
    from (
      select id, kind, reason, case when kind in ('link', 'user', 'host') then 'admin' else kind end as by from (
        select l.id as id,
          (select h.kind from ${link_holds} as h where h.link_id = l.id ${weight}) as kind,
          (select nullif(h.reason, '') from ${link_holds} as h where h.link_id = l.id ${weight}) as reason
        from ${links} as l where l.id in (select value from json_each(${ids}))
      )
    ) as top
    where ${links}.id = top.id and ${links}.status <> 'deleted'
      and not (top.kind is null and ${links}.disabled_by is 'owner')
      and (case when top.kind is null then 'active' else 'disabled' end, top.by, top.reason)
        is not (${links}.status, ${links}.disabled_by, ${links}.disabled_reason)
    returning ${links}.id as id`;
}
