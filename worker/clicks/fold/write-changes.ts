import { sql, type SQL } from 'drizzle-orm';
import { abortUnless, inJsonChunks, jsonList, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { FIGURES } from './counts.ts';
import type { CountsChange } from './merge-clicks.ts';
import { monthOfDay } from '#contract/reports/periods.ts';
import { mergeRecent } from './recent-clicks.ts';
import { daysTableOf, windowsTable } from './tables.ts';
import { windowDay } from './window-ids.ts';

/**
 * Writes the result of a fold in one atomic batch, and returns the number of rows written.
 * `windows` are those whose keys no link stores: each gets a row. The batch fails if one of these
 * rows exists already, or if another fold has changed one of the links (see `abortUnless`).
 */
export async function writeChanges(
  db: Db,
  windows: readonly ClickWindow[],
  changes: ReadonlyMap<number, CountsChange>,
  now: number,
): Promise<number> {
  const all = [...changes];
  const totals = all.map(([link_id, change]) => ({
    link_id,
    rev: change.rev,
    first_at: change.first,
    last_at: change.last,
    recent: change.recent,
    day: change.day,
    counts: change.counts,
    window_ids: change.windowKeys,
    visitor_sets: Object.fromEntries(change.visitorSets),
    ...change.added,
  }));
  const days = all.flatMap(([link_id, change]) =>
    [...change.days].map(([day, counts]) => ({ link_id, day, counts })),
  );
  const reopened = all.flatMap(([link_id, { reopenFrom: day }]) =>
    day === null ? [] : [{ link_id, month: monthOfDay(day), day }],
  );
  const { written } = await runNamedBatch(db, {
    written: [
      ...[...Map.groupBy(windows, windowDay)].map(
        ([day, some]) =>
          sql`insert into ${sql.raw(windowsTable(day))} (id)
            select value from ${jsonList(some.map(({ id }) => id))}`,
      ),
      ...inJsonChunks(TOTALS, totals, (rows) => upsertTotals(rows, now)),
      ...[...Map.groupBy(days, ({ day }) => daysTableOf(day, now))].flatMap(([table, some]) =>
        inJsonChunks(DAYS, some, (rows) => upsertDays(table, rows)),
      ),
      ...inJsonChunks(['link_id', 'month', 'day'], reopened, deleteMonths),
    ],
  });
  return written.rowsWritten;
}

const TOTALS = [
  'link_id',
  'rev',
  'first_at',
  'last_at',
  'recent',
  'day',
  'counts',
  'window_ids',
  'visitor_sets',
  ...FIGURES,
] as const;
const DAYS = ['link_id', 'day', 'counts'] as const;

const columnsOf = (names: readonly string[]): SQL => sql.raw(names.join(', '));

const upsertTotals = (rows: SQL, now: number): SQL => sql`
  insert into ${link_totals} (${columnsOf(TOTALS)}) select ${columnsOf(TOTALS)} from ${rows} where true
  on conflict do update set rev = ${abortUnless(sql`rev = excluded.rev - 1`, sql`excluded.rev`)},
    first_at = excluded.first_at, last_at = excluded.last_at, recent = ${mergeRecent(now)}, day = excluded.day,
    counts = excluded.counts, window_ids = excluded.window_ids, visitor_sets = excluded.visitor_sets,
    human = human + excluded.human, bot = bot + excluded.bot, prefetch = prefetch + excluded.prefetch,
    visitors = visitors + excluded.visitors`;

const upsertDays = (table: string, rows: SQL): SQL => sql`
  insert into ${sql.raw(table)} (${columnsOf(DAYS)}) select ${columnsOf(DAYS)} from ${rows} where true
  on conflict do update set counts = excluded.counts`;

/**
 * Deletes the months that contain changed days, and later ones. Their days are still stored, and a
 * job adds them up again.
 */
const deleteMonths = (rows: SQL): SQL => sql`
  delete from ${link_months} where (link_id, month) in (select m.link_id, m.month from ${rows} changed
    cross join ${link_months} m on m.link_id = changed.link_id and m.month >= changed.month and m.through >= changed.day)`;
