import { sql, type SQL } from 'drizzle-orm';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { FIGURES } from './counts.ts';
import type { LinkChange } from './merge-clicks.ts';
import { monthOfDay } from '#contract/periods.ts';
import { each } from './read-stored.ts';
import { mergeRecent } from './recent-clicks.ts';
import { daysTableOf, windowsTable } from './tables.ts';
import { windowDay } from './window-ids.ts';

/**
 * Writes what folding windows changes, in one atomic batch, with a row for each of `windows`, whose
 * keys are not stored with links. It fails as a whole if one of these has been counted in the
 * meantime, by its primary key, or if a link has changed: its revision becomes null, which its
 * column does not allow.  Returns the number of rows written.
 */
export async function writeChanges(
  db: Db,
  windows: readonly ClickWindow[],
  changes: ReadonlyMap<number, LinkChange>,
  now: number,
): Promise<number> {
  const all = [...changes];
  const totals = all.map(
    ([link, { rev, first, last, recent, day, counts, windowKeys, visitors, added }]) => {
      const sums = FIGURES.map((figure) => added[figure]);
      return [
        link,
        rev,
        first,
        last,
        recent,
        day,
        counts,
        windowKeys,
        Object.fromEntries(visitors),
        ...sums,
      ];
    },
  );
  const days = all.flatMap(([link, change]) =>
    [...change.days].map(([day, counts]) => [link, day, counts] as const),
  );
  const late = all.flatMap(([link, { late: day }]) =>
    day === null ? [] : [[link, monthOfDay(day), day]],
  );
  const { written } = await runNamedBatch(db, {
    written: [
      ...[...Map.groupBy(windows, windowDay)].map(
        ([day, some]) =>
          sql`insert into ${sql.raw(windowsTable(day))} (id) ${each(some.map(({ id }) => id))}`,
      ),
      ...inChunks(totals, upsertTotals(now)),
      ...[...Map.groupBy(days, ([, day]) => daysTableOf(day, now))].flatMap(([table, rows]) =>
        inChunks(rows, upsertDays(table)),
      ),
      ...inChunks(late, openMonths),
    ],
  });
  return written.rowsWritten;
}

const upsertTotals =
  (now: number) =>
  (rows: string): SQL =>
    sql`
  insert into ${link_totals} (link_id, rev, first_at, last_at, recent, day, counts, window_ids, visitor_sets,
    human, bot, prefetch, visitors)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value -> 4, value ->> 5, value -> 6, value -> 7, value -> 8,
    value ->> 9, value ->> 10, value ->> 11, value ->> 12 from json_each(${rows}) where true
  on conflict do update set rev = case when rev = excluded.rev - 1 then excluded.rev end,
    first_at = excluded.first_at, last_at = excluded.last_at, recent = ${mergeRecent(now)}, day = excluded.day,
    counts = excluded.counts, window_ids = excluded.window_ids, visitor_sets = excluded.visitor_sets,
    human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
    visitors = visitors + excluded.visitors`;

const upsertDays =
  (table: string) =>
  (rows: string): SQL =>
    sql`
  insert into ${sql.raw(table)} (link_id, day, counts) select value ->> 0, value ->> 1, value -> 2 from json_each(${rows})
  where true on conflict do update set counts = excluded.counts`;

/**
 * Deletes the months that late clicks belong into, and later ones. Their days are still there, and
 * are added up again.
 */
const openMonths = (rows: string): SQL => sql`
  delete from ${link_months} where (link_id, month) in (select m.link_id, m.month from json_each(${rows}) j
    cross join ${link_months} m on m.link_id = j.value ->> 0 and m.month >= j.value ->> 1 and m.through >= j.value ->> 2)`;

/** In UTF-16 units of JSON, up to 3 bytes each: well below D1's limit of 2 MB per parameter. */
const CHUNK_MAX = 500_000;

/** One statement for as many rows as fit into a parameter. */
export function inChunks(
  rows: readonly (readonly unknown[])[],
  statement: (rows: string) => SQL,
): SQL[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (json.length > room) {
      chunks.push([]);
      room = CHUNK_MAX;
    }
    chunks.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return chunks.map((chunk) => statement(`[${chunk.join(',')}]`));
}
