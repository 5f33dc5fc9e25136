import { asc, gt, max, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import type { JobCount } from '#worker/messages/jobs.ts';
import type { JobBudget, JobResult } from './job-budget.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema-links.ts';
import { allShards, openShards, type ShardEnv } from '#worker/db/shards.ts';
import { runSteps } from './run-steps.ts';

/**
 * Links with `after` < id ≤ `upTo`: the links of one step, which are changed in one atomic batch.
 */
export type LinkRange = { after: number; upTo: number };

export type Sweep<T> = {
  name: string;
  /** The table whose links the sweep visits. */
  over: 'links' | 'link_totals';
  /** Rises with each period, such as the start of the day. */
  period: number;
  /** The result before the first step. */
  start: T;
  /** The schema of the result, which is stored as JSON between runs. */
  schema: z.ZodMiniType<T>;
};

export const LINKS_PER_STEP = 200;

/**
 * Visits all links once per period, in steps (see `runSteps`). Each step gets the result of the one
 * before and returns the new result. `left` is about how many links are left, from the difference
 * of ids; 0 = all have been visited.
 */
export async function sweepLinks<T>(
  db: Db,
  { name, over, period, start, schema }: Sweep<T>,
  step: (range: LinkRange, previous: T) => Promise<T>,
  budget?: JobBudget,
): Promise<{ worked: boolean; left: number; result: T }> {
  const work = {
    name,
    period,
    schema: z.object({ after: z.number(), carry: schema }),
    start: () => ({ after: 0, carry: start }),
  };
  const { worked, done, state } = await runSteps(
    db,
    work,
    async ({ after, carry }) => {
      const upTo = await findStepEnd(db, over, after);
      if (upTo === null) return { state: { after, carry }, done: true };
      return { state: { after: upTo, carry: await step({ after, upTo }, carry) }, done: false };
    },
    budget,
  );
  const left = done ? 0 : Math.max(1, (await findLastLink(db, over)) - state.after);
  return { worked, left, result: state.carry };
}

/**
 * Runs `sweepLinks` in every database that holds clicks, each with its own position. `step` adds to
 * a number, the job's `count`.
 */
export async function sweepShards(
  env: ShardEnv,
  sweep: Sweep<number>,
  step: (db: Db, range: LinkRange, previous: number) => Promise<number>,
  count: JobCount,
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
  return all.worked ? { done: { [count]: all.result }, left: all.left } : {};
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
