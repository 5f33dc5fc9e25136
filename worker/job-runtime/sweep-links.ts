import { asc, eq, gt, max, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from './job-budget.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { job_runs } from '#worker/db/schema-system.ts';
import { links } from '#worker/db/schema-links.ts';
import { allShards, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { readJobState, saveJobState } from './job-state.ts';

/**
 * Links with `after` < id ≤ `upTo`: the links of one step, which are changed in one atomic batch.
 */
export type LinkRange = { after: number; upTo: number };

export type Sweep<T> = {
  name: string;
  /** The table whose links the sweep visits. */
  over: 'links' | 'link_totals';
  /** Rises with each period, such as the start of the day. A sweep runs once per period. */
  period: number;
  /** The result before the first step. */
  start: T;
  /** The schema of the result, which each step gets and returns, and which is stored as JSON. */
  schema: z.ZodMiniType<T>;
};

export const LINKS_PER_STEP = 200;

/**
 * Visits all links in bounded steps, over as many runs as needed, once per period. Each step gets
 * the result of the one before and returns the new result. The position is stored in `job_runs`, so
 * the next run continues where a missed or killed run stopped. A step may run twice, so every step
 * must be idempotent. An unfinished sweep is completed before a new one starts, so the last links
 * are reached even if runs are late. `left` is about how many links are left, from the difference
 * of ids; 0 = all have been visited.
 */
export async function sweepLinks<T>(
  db: Db,
  sweep: Sweep<T>,
  step: (range: LinkRange, previous: T) => Promise<T>,
  budget: JobBudget = UNBOUNDED,
): Promise<{ worked: boolean; left: number; result: T }> {
  const last = await readState(db, sweep);
  if (last !== null && last.done && last.period >= sweep.period)
    return { worked: false, left: 0, result: last.carry };
  const initial = { period: sweep.period, after: 0, done: false, carry: sweep.start };
  const state = last === null || last.done ? initial : last;
  do {
    const upTo = await findStepEnd(db, sweep.over, state.after);
    if (upTo === null) state.done = true;
    else {
      state.carry = await step({ after: state.after, upTo }, state.carry);
      state.after = upTo;
    }
  } while (!state.done && budget.canContinue());
  await saveJobState(db, stateName(sweep.name), {
    at: state.period,
    ok: true,
    detail: JSON.stringify(state),
  });
  return {
    worked: true,
    left: state.done ? 0 : Math.max(1, (await findLastLink(db, sweep.over)) - state.after),
    result: state.carry,
  };
}

/**
 * Runs `sweepLinks` in every database that holds clicks, each with its own position. `step` adds to
 * a number, which `describe` puts into words.
 */
export async function sweepShards(
  env: ShardEnv,
  sweep: Sweep<number>,
  step: (db: Db, range: LinkRange, previous: number) => Promise<number>,
  describe: (sum: number) => string,
  budget?: JobBudget,
): Promise<JobResult> {
  const all = { worked: false, left: 0, result: 0 };
  for (const { db } of allShards(openShards(env))) {
    const { worked, left, result } = await sweepLinks(
      db,
      sweep,
      (range, previous) => step(db, range, previous),
      budget,
    );
    if (!worked) continue;
    all.worked = true;
    all.left += left;
    all.result += result;
  }
  return all.worked ? { detail: describe(all.result), left: all.left } : 'nothing due';
}

/** Deletes a sweep's position, so the next run starts with the first link. */
export async function resetSweep(db: Db, name: string): Promise<void> {
  await db.delete(job_runs).where(eq(job_runs.name, stateName(name)));
}

const columnOf = (over: Sweep<unknown>['over']) =>
  over === 'links' ? links.id : link_totals.link_id;

/** The last link id of the step after `after`, or null if no links follow. */
export async function findStepEnd(
  db: Db,
  over: Sweep<unknown>['over'],
  after: number,
): Promise<number | null> {
  const id = columnOf(over);
  const step = db
    .select({ id })
    .from(over === 'links' ? links : link_totals)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(LINKS_PER_STEP)
    .as('step');
  const row = await db
    .select({ id: max(step.id) })
    .from(step)
    .get();
  return row?.id ?? null;
}

async function findLastLink(db: Db, over: Sweep<unknown>['over']): Promise<number> {
  const [row] = await db.all<{ id: number | null }>(
    sql`select max(${columnOf(over)}) as id from ${over === 'links' ? links : link_totals}`,
  );
  return row?.id ?? 0;
}

/** Where the position of a sweep is stored in `job_runs`. */
export const stateName = (sweep: string): string => `${sweep}:sweep`;

/** The last period in which a sweep has visited every link, or -1. */
export async function readSweptPeriod(db: Db, name: string): Promise<number> {
  const state = z.object({ period: z.number(), done: z.literal(true) });
  return (
    state.safeParse(JSON.parse((await readJobState(db, stateName(name))) ?? 'null')).data?.period ??
    -1
  );
}

async function readState<T>(db: Db, sweep: Sweep<T>) {
  const detail = await readJobState(db, stateName(sweep.name));
  if (detail === null) return null;
  const state = z.object({
    period: z.number(),
    after: z.number(),
    done: z.boolean(),
    /** The result of the last step. */
    carry: sweep.schema,
  });
  // If a release has changed the stored shape, the sweep starts over, which idempotent steps allow.
  return state.safeParse(JSON.parse(detail)).data ?? null;
}
