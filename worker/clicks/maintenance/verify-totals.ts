import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Change, ClickProof } from '#contract/moderation/admin.ts';
import { inJsonChunks, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { openShard, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { PERIOD_DAYS, readSums } from './read-sums.ts';
import { FIGURES, noSums, sumsOf } from '#worker/clicks/fold/counts.ts';
import { readJobState, saveJobState } from '#worker/job-runtime/job-state.ts';
import { forgetSteps } from '#worker/job-runtime/run-steps.ts';
import { dayNumber, startOfDay } from '#contract/reports/periods.ts';
import { findStepEnd, sweepLinks } from '#worker/job-runtime/sweep-links.ts';

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
  is_full: z.optional(z.boolean()),
  links: z.number(),
  drift: z.array(drift),
  clicks,
});
/** Human clicks of the last 60 days, by day number. */
const byDay = z.record(z.string(), z.number());
/**
 * What a verification has found so far. `day` is the number of the day on which it began, `full`
 * the day on which the last verification of all links began.
 */
const progress = z.object({
  day: z.number(),
  full: z.number(),
  links: z.number(),
  drift: z.array(drift),
  by_day: byDay,
});
type Progress = z.infer<typeof progress>;
/** What the next verification needs of the last complete one. */
const previous = z.object({ ok: z.boolean(), day: z.number(), full: z.number(), by_day: byDay });

const FULL_EVERY_DAYS = 7;
/** Between verifications of all links, only those clicked within this many days are read. */
const CHANGED_DAYS = 2;

/**
 * Verifies once a day that the totals of links equal the sums of their days and months: of the
 * links that were clicked lately, and of all links once a week and while a difference is known. One
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

async function verify(db: Db, now: number, budget?: JobBudget, isFull = false): Promise<JobResult> {
  const sweep = {
    name: SWEEP,
    over: 'links',
    period: startOfDay(now),
    start: await startVerification(db, dayNumber(now), isFull),
    schema: progress,
  } as const;
  const { worked, left, result } = await sweepLinks(
    db,
    sweep,
    async (range, soFar) => {
      const { day, full } = soFar;
      const since = full === day ? null : day - CHANGED_DAYS;
      const read = await readSums(db, range, since, day);
      const sums = { ...soFar.by_day };
      for (const [clickDay, n] of read.byDay)
        if (since === null || clickDay >= since) sums[clickDay] = (sums[clickDay] ?? 0) + n;
      return {
        ...soFar,
        links: soFar.links + read.links.length,
        drift: [...soFar.drift, ...findDrift(read)].slice(0, DRIFT_MAX),
        by_day: sums,
      };
    },
    budget,
  );
  if (!worked) return {};
  if (left > 0) return { done: { links_verified: result.links }, left };
  const ok = result.drift.length === 0;
  const { day, full } = result;
  const sumOf = (from: number): number =>
    Object.entries(result.by_day).reduce(
      (sum, [one, n]) => (Number(one) >= from && Number(one) < from + PERIOD_DAYS ? sum + n : sum),
      0,
    );
  const change: Change = { now: sumOf(day - PERIOD_DAYS), before: sumOf(day - 2 * PERIOD_DAYS) };
  const stored = {
    ok,
    checked_at: new Date(now).toISOString(),
    is_full: full === day,
    ...result,
    clicks: change,
  };
  await saveJobState(db, RESULT, { at: now, ok, detail: JSON.stringify(stored) });
  const kind = full === day ? 'links_verified' : 'links_checked_lately';
  return { done: { [kind]: result.links, differences: result.drift.length } };
}

/**
 * Returns the first state of a verification. It is one of all links unless the last one was recent
 * and found nothing. Days that it reads again start without a sum.
 */
async function startVerification(db: Db, day: number, isFull: boolean): Promise<Progress> {
  const detail = await readJobState(db, RESULT);
  const last = detail === null ? undefined : previous.safeParse(JSON.parse(detail)).data;
  const isRecent =
    !isFull &&
    last?.ok === true &&
    day - last.day <= CHANGED_DAYS &&
    day - last.full < FULL_EVERY_DAYS;
  const known = Object.entries(last?.by_day ?? {}).filter(
    ([one]) => Number(one) >= day - 2 * PERIOD_DAYS && Number(one) < day - CHANGED_DAYS,
  );
  return {
    day,
    full: isRecent ? last.full : day,
    links: 0,
    drift: [],
    by_day: isRecent ? Object.fromEntries(known) : {},
  };
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
    const read = await readSums(db, { after, upTo }, null, dayNumber(now));
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
  await verify(db, now, UNBOUNDED, true);
  return { repaired, proof: await readLastVerification(db) };
}

/** Skips a link that has been clicked since its totals were read; the next repair includes it. */
const writeTotals = (rows: SQL): SQL => sql`
  insert into ${link_totals} (link_id, human, bot, prefetch, visitors, rev)
  select link_id, human, bot, prefetch, visitors, rev from ${rows} where true
  on conflict do update set human = excluded.human, bot = excluded.bot, prefetch = excluded.prefetch,
    visitors = excluded.visitors, rev = rev + 1
  where rev = excluded.rev`;

const findDrift = ({ links: found, sums }: Awaited<ReturnType<typeof readSums>>) =>
  found.flatMap((link) =>
    FIGURES.flatMap((figure) => {
      const expected = sums.get(link.id)?.[figure] ?? 0;
      return expected === link[figure]
        ? []
        : [{ short_code: link.code, figure, expected, found: link[figure] }];
    }),
  );
