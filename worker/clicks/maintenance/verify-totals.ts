import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Change, ClickProof } from '#contract/admin.ts';
import { inJsonChunks, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { link_months, link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { openShard, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { selectOpenDays } from './close-months.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { addSums, FIGURES, noSums, type Sums, sumsOf } from '#worker/clicks/fold/counts.ts';
import {
  figureColumns,
  parseCounts,
  storedFigure,
  storedFigures,
  storedPart,
  tallyOf,
} from '#worker/clicks/fold/counts-codec.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { forgetSteps } from '#worker/job-runtime/run-steps.ts';
import { dayNumber, firstDayOfMonth, monthOfDay, startOfDay } from '#contract/periods.ts';
import { findStepEnd, sweepLinks, type LinkRange } from '#worker/job-runtime/sweep-links.ts';

const SWEEP = 'prove-clicks';
const RESULT = 'click-proof:result';
const DRIFT_MAX = 20;

const drift = z.object({
  short_code: z.string(),
  figure: z.enum(FIGURES),
  expected: z.number(),
  found: z.number(),
});
/** Human clicks of the last PERIOD_DAYS days, and of as many days before. */
const clicks = z.object({ now: z.number(), before: z.number() });
const verification = z.object({
  ok: z.boolean(),
  checked_at: z.string(),
  links: z.number(),
  drift: z.array(drift),
  clicks,
});
/** What a verification has found so far. `day` is the start of the day on which it began, in ms. */
const progress = z.object({ day: z.number(), links: z.number(), drift: z.array(drift), clicks });

const PERIOD_DAYS = 30;

/** A link with its stored totals. */
type LinkSums = Sums & { id: number; code: string; shard: number; rev: number };
/** `latest` has the sums of the latest day, as JSON. */
type Totals = Sums & { link_id: number; rev: number; day: number; latest: string };
type DaySums = Sums & { link_id: number; day: number };
/** `times` is null unless the clicks of the month are needed by day. */
type MonthSums = Sums & { link_id: number; month: number; through: number; times: string | null };

/**
 * Verifies once a day that every link's totals equal the sums of its days and months. One
 * transaction writes both, so a difference is a bug. Administrators see the result and can repair
 * the totals.
 */
export async function verifyTotals(
  env: ShardEnv,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  return verify(openShards(env), now, budget);
}

async function verify(db: Db, now: number, budget?: JobBudget): Promise<JobResult> {
  const day = startOfDay(now);
  const start: z.infer<typeof progress> = {
    day,
    links: 0,
    drift: [],
    clicks: { now: 0, before: 0 },
  };
  const sweep = { name: SWEEP, over: 'links', period: day, start, schema: progress } as const;
  const { worked, left, result } = await sweepLinks(
    db,
    sweep,
    async (range, soFar) => {
      const read = await readSums(db, range, dayNumber(soFar.day));
      return {
        day: soFar.day,
        links: soFar.links + read.links.length,
        drift: [...soFar.drift, ...findDrift(read)].slice(0, DRIFT_MAX),
        clicks: {
          now: soFar.clicks.now + read.change.now,
          before: soFar.clicks.before + read.change.before,
        },
      };
    },
    budget,
  );
  if (!worked) return 'nothing due';
  if (left > 0) return { detail: `${result.links} links so far`, left };
  const ok = result.drift.length === 0;
  const { day: _, ...figures } = result;
  const stored = { ok, checked_at: new Date(now).toISOString(), ...figures };
  await saveJobState(db, RESULT, { at: now, ok, detail: JSON.stringify(stored) });
  return `${result.links} links, ${ok ? 'verified' : 'with drift'}`;
}

/**
 * The result of the last complete verification. Null before the first one, and after its stored
 * shape has changed.
 */
export async function readLastVerification(db: Db): Promise<ClickProof> {
  const detail = await readJobState(db, RESULT);
  return detail === null ? null : (verification.safeParse(JSON.parse(detail)).data ?? null);
}

/**
 * Sets every link's totals to the sums of its days and months where they differ, then verifies the
 * result. Returns the number of links changed. Safe while clicks are being counted.
 */
export async function recomputeTotals(
  db: Db,
  now: number,
): Promise<{ repaired: number; proof: ClickProof }> {
  let repaired = 0;
  let after = 0;
  for (
    let upTo = await findStepEnd(db, 'links', 0);
    upTo !== null;
    upTo = await findStepEnd(db, 'links', after)
  ) {
    const read = await readSums(db, { after, upTo }, dayNumber(now));
    const wrong = new Set(findDrift(read).map(({ short_code }) => short_code));
    const differing = read.links.filter(({ code }) => wrong.has(code));
    for (const [shard, shardLinks] of Map.groupBy(differing, (link) => link.shard)) {
      const rows = shardLinks.map(({ id, rev }) =>
        Object.assign({ link_id: id, rev }, sumsOf(read.sums.get(id) ?? noSums())),
      );
      const { written } = await runNamedBatch(openShard(db, shard), {
        written: inJsonChunks(['link_id', ...FIGURES, 'rev'], rows, writeTotals),
      });
      repaired += written.changes;
    }
    after = upTo;
  }
  await forgetSteps(db, SWEEP);
  await verify(db, now, UNBOUNDED);
  return { repaired, proof: await readLastVerification(db) };
}

/** Skips a link that has been clicked since its totals were read; the next repair includes it. */
const writeTotals = (rows: SQL): SQL => sql`
  insert into ${link_totals} (link_id, human, bot, prefetch, visitors, rev)
  select link_id, human, bot, prefetch, visitors, rev from ${rows} where true
  on conflict do update set human = excluded.human, bot = excluded.bot, prefetch = excluded.prefetch,
    visitors = excluded.visitors, rev = rev + 1
  where rev = excluded.rev`;

/**
 * Reads the range's links with their totals, the sums of their counts, and the clicks of the last
 * 30 days and of the 30 days before. Totals and sums come from one snapshot of the database that
 * holds the link's clicks. Months replace the days in them.
 */
async function readSums(db: Db, range: LinkRange, today: number) {
  const { found, ...main } = await runNamedBatch(db, {
    found: sql<{
      id: number;
      code: string;
      shard: number;
    }>`select id, code, shard from ${links} where ${isInRange(sql`id`, range)}`,
    ...selectCounts(range, today),
  });
  const read: LinkSums[] = [];
  const sums = new Map<number, Sums>();
  const change: Change = { now: 0, before: 0 };
  for (const [shard, shardLinks] of Map.groupBy(found.rows, (link) => link.shard)) {
    const { totals, days, months } =
      shard === 0 ? main : await runNamedBatch(openShard(db, shard), selectCounts(range, today));
    const totalsOf = new Map(totals.rows.map((row) => [row.link_id, row]));
    const closed = new Map(months.rows.map(({ link_id, through }) => [link_id, through]));
    // The latest day is in the link's own row. It is left out if a month includes it.
    const latest = totals.rows
      .filter(({ link_id, day }) => day > (closed.get(link_id) ?? 0))
      .map((row): DaySums =>
        Object.assign(parseCounts(row.latest), { link_id: row.link_id, day: row.day }),
      );
    const idsOfShard = new Set(shardLinks.map(({ id }) => id));
    const rows = [...days.rows, ...latest, ...months.rows].filter(({ link_id }) =>
      idsOfShard.has(link_id),
    );
    addRows(rows, sums, change, today);
    for (const link of shardLinks)
      read.push(Object.assign({ rev: 0, ...noSums() }, totalsOf.get(link.id), link));
  }
  return { links: read, sums, change };
}

const isInRange = (id: SQL, { after, upTo }: LinkRange): SQL =>
  sql`${id} > ${after} and ${id} <= ${upTo}`;

/** The statements that read the totals and all counts of a range, in one database. */
function selectCounts(range: LinkRange, today: number) {
  const ofCounts = (alias: string): SQL =>
    figureColumns((figure) => storedFigure(figure, `${alias}.counts`));
  const recent = today - 2 * PERIOD_DAYS;
  return {
    totals: sql<Totals>`select link_id, rev, human, bot, prefetch, visitors, day, ${storedFigures()} as latest
      from ${link_totals} where ${isInRange(sql`link_id`, range)}`,
    days: selectOpenDays<DaySums>(sql`d.link_id, d.day, ${ofCounts('d')}`, range),
    months: sql<MonthSums>`select m.link_id, m.month, m.through, ${ofCounts('m')},
      case when m.month >= ${monthOfDay(recent)} then ${storedPart('times', 'm.counts')} end as times
      from ${link_months} m where ${isInRange(sql`m.link_id`, range)} order by m.link_id, m.month`,
  };
}

/** Adds rows to the sums of their links, and their recent clicks to `change`. */
function addRows(
  rows: readonly (DaySums | MonthSums)[],
  sums: Map<number, Sums>,
  change: Change,
  today: number,
): void {
  const recent = today - 2 * PERIOD_DAYS;
  const addClicks = (day: number, human: number): void => {
    if (day < today && day >= today - PERIOD_DAYS) change.now += human;
    else if (day < today && day >= recent) change.before += human;
  };
  for (const row of rows) {
    addSums(getOrCreate(sums, row.link_id, noSums), row);
    if ('day' in row) addClicks(row.day, row.human);
    else if (row.times !== null)
      for (const [day, n] of tallyOf(JSON.parse(row.times)))
        addClicks(firstDayOfMonth(row.month) + Number(day) - 1, n);
  }
}

const findDrift = ({ links: found, sums }: Awaited<ReturnType<typeof readSums>>) =>
  found.flatMap((link) =>
    FIGURES.flatMap((figure) => {
      const expected = sums.get(link.id)?.[figure] ?? 0;
      return expected === link[figure]
        ? []
        : [{ short_code: link.code, figure, expected, found: link[figure] }];
    }),
  );
