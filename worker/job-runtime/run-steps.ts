import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#worker/db/client.ts';
import { job_runs } from '#worker/db/schema-system.ts';
import { UNBOUNDED, type JobBudget } from './job-budget.ts';
import { readJobState, saveJobState } from './job-state.ts';

/** Work that is done once per period. */
type PeriodicWork<State> = {
  name: string;
  /** Rises with each period, such as the number of the day. */
  period: number;
  /** The schema of what each step gets and returns: its position and its result so far. */
  schema: z.ZodMiniType<State>;
  /**
   * Returns the state of the first step. `previousPeriod` is the period that was done before, or
   * -1.
   */
  start: (previousPeriod: number) => State;
};

const progress = z.object({ period: z.number(), done: z.boolean() });

/**
 * Does periodic work in bounded steps, over as many runs as needed. The state is stored in
 * `job_runs` at the end of a run, so the next run continues where a missed or killed run stopped. A
 * step may run twice, so every step must be idempotent. Unfinished work is completed before that of
 * a new period begins, so the last steps are reached even if runs are late.
 */
export async function runSteps<State extends object>(
  db: Db,
  { name, period, schema, start }: PeriodicWork<State>,
  step: (state: State) => Promise<{ state: State; done: boolean }>,
  budget: JobBudget = UNBOUNDED,
): Promise<{ worked: boolean; done: boolean; state: State }> {
  const stored: unknown = JSON.parse((await readJobState(db, stateName(name))) ?? 'null');
  const [last, lastState] = [progress.safeParse(stored).data, schema.safeParse(stored).data];
  const isKnown = last !== undefined && lastState !== undefined;
  if (isKnown && last.done && last.period >= period)
    return { worked: false, done: true, state: lastState };
  // If a release has changed the stored shape, the work starts over, which idempotent steps allow.
  let current =
    isKnown && !last.done
      ? { period: last.period, done: false, state: lastState }
      : { period, done: false, state: start(isKnown ? last.period : -1) };
  do {
    current = { period: current.period, ...(await step(current.state)) };
  } while (!current.done && budget.canContinue());
  const { done, state } = current;
  await saveJobState(db, stateName(name), {
    at: current.period,
    ok: true,
    detail: JSON.stringify({ period: current.period, done, ...state }),
  });
  return { worked: true, done, state };
}

/** Where the progress of work is stored in `job_runs`. */
const stateName = (work: string): string => `${work}:sweep`;

/** Deletes the progress of work, so that the next run starts over. */
export async function forgetSteps(db: Db, name: string): Promise<void> {
  await db.delete(job_runs).where(eq(job_runs.name, stateName(name)));
}

/** The last period whose work is done, or -1. */
export async function readDonePeriod(db: Db, name: string): Promise<number> {
  const stored: unknown = JSON.parse((await readJobState(db, stateName(name))) ?? 'null');
  const last = progress.safeParse(stored).data;
  return last?.done === true ? last.period : -1;
}
