import { sql, type SQL } from 'drizzle-orm';
import { DAY_MS } from '#contract/time.ts';
import type { LinkClicks } from '#worker/clicks/fold/aggregate-clicks.ts';
import { getOrCreate } from '#worker/clicks/fold/aggregate-clicks.ts';
import { monthRow, noMonth, readMonths, upsertMonths } from './close-months.ts';
import { addMonth, FIGURES, noSums } from '#worker/clicks/fold/counts.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { mergeClicks, type LinkChange } from '#worker/clicks/fold/merge-clicks.ts';
import { readStored } from '#worker/clicks/fold/read-stored.ts';
import { writeChanges } from '#worker/clicks/fold/write-changes.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { click_counts, click_dims, link_totals } from '#worker/db/schema-clicks.ts';
import { sumOldCounts, type OldCountRow, type OldDimRow } from './old-counts.ts';

const STARTED = 'move-counts:started';
/** Until then, going back to the previous release finds its counts as it left them. */
const WAIT_MS = 2 * DAY_MS;
const ROWS_PER_STEP = 1_000;
/**
 * What is left is counted up to this many rows of a table: counting must not cost more than moving.
 */
const COUNTED_MAX = 50_000;

/**
 * Moves what the previous release has counted to `link_days` and `link_months`, some rows at a
 * time. Reports and the daily check add what is left, so it does not matter when a row is moved,
 * whether a run was interrupted, or whether the previous release counts again after all rows have
 * been moved: the next run moves those as well.
 */
export async function moveOldCounts(
  env: Pick<Env, 'DB'>,
  now: number,
  budget: JobBudget = UNBOUNDED,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const started = await readJobState(db, STARTED);
  if (started === null) await saveJobState(db, STARTED, { at: now, ok: true, detail: String(now) });
  if (now - Number(started ?? now) < WAIT_MS) return 'waiting, in case of a rollback';
  let moved = 0;
  do {
    const rows = await moveStep(db, now);
    moved += rows;
    if (rows === 0) return moved === 0 ? 'nothing left' : `${moved} rows moved`;
  } while (budget.canContinue());
  return { detail: `${moved} rows moved`, left: await countLeft(db) };
}

async function moveStep(db: Db, now: number): Promise<number> {
  const { counts, dims } = await runNamedBatch(db, {
    counts: sql<OldCountRow>`select * from ${click_counts} order by link_id, grain, at limit ${ROWS_PER_STEP}`,
    dims: sql<OldDimRow>`select * from ${click_dims} order by link_id, grain, at, dim, val limit ${ROWS_PER_STEP}`,
  });
  const moved = counts.rows.length + dims.rows.length;
  if (moved === 0) return 0;
  const old = sumOldCounts(counts.rows, dims.rows);
  const clicks = new Map(
    [...old].map(([link, { days }]): [number, LinkClicks] => {
      const entries = [...days].map(
        ([day, sums]) => [day, { counts: sums, visitors: new Map<number, string>() }] as const,
      );
      return [link, { days: new Map(entries), recent: [], first: null, last: null }];
    }),
  );
  const stored = await readStored(db, [], clicks, now);
  const changes = new Map<number, LinkChange>();
  for (const [id, link] of stored.links) {
    const added = clicks.get(id);
    // The totals include these clicks already. They were counted before UTM values were.
    if (added !== undefined)
      changes.set(id, { ...mergeClicks({ ...link, utm: '' }, added, now), added: noSums() });
  }
  const pairs = [...old].flatMap(([id, { months }]) =>
    [...months.keys()].map((month): [number, number] => [id, month]),
  );
  const months = await readMonths(db, pairs);
  for (const [id, month] of pairs) {
    const more = old.get(id)?.months.get(month);
    const sum = getOrCreate(
      getOrCreate(months, id, () => new Map()),
      month,
      noMonth,
    );
    sum.activeDays += more?.activeDays ?? 0;
    if (more !== undefined) addMonth(sum.counts, more.counts);
  }
  const monthRows = [...months].flatMap(([id, some]) =>
    [...some].map(([number, month]) => monthRow(id, number, month)),
  );
  await writeChanges(db, [], changes, now, [
    ...upsertMonths(monthRows.filter(([id]) => changes.has(Number(id)))),
    ...deleteUnchanged('click_counts', ['link_id', 'grain', 'at', ...FIGURES], counts.rows),
    ...deleteUnchanged('click_dims', ['link_id', 'grain', 'at', 'dim', 'val', 'n'], dims.rows),
  ]);
  return moved;
}

/**
 * Deletes the rows, and fails if the previous release has added to one of them, or another run has
 * moved it, since they were read.
 */
function deleteUnchanged(
  table: string,
  columns: readonly string[],
  rows: readonly object[],
): SQL[] {
  const values = sql.raw(columns.map((name) => `value ->> '${name}'`).join(', '));
  const found = sql`from ${sql.raw(table)} where (${sql.raw(columns.join(', '))}) in (select ${values} from json_each(${JSON.stringify(rows)}))`;
  return [
    sql`insert into ${link_totals} (link_id, rev) select 0, null where (select count(*) ${found}) <> ${rows.length}`,
    sql`delete ${found}`,
  ];
}

async function countLeft(db: Db): Promise<number> {
  const some = (table: SQL): SQL =>
    sql`(select count(*) from (select 1 from ${table} limit ${COUNTED_MAX}))`;
  const [row] = await db.all<{ n: number }>(
    sql`select ${some(sql`${click_counts}`)} + ${some(sql`${click_dims}`)} as n`,
  );
  return row?.n ?? 0;
}
