import { MINUTE_MS } from '#contract/time.ts';
import type { JobReport } from '#worker/messages/jobs.ts';

/**
 * The limits of one run of a job. A job checks them before every further step, and leaves the
 * remaining work to its next run.
 */
export type JobBudget = {
  /** False once the job has used its share of the invocation's statements or of its time. */
  canContinue: () => boolean;
  /** How many more values the job may write to KV. */
  kvWrites: () => number;
};

/**
 * The result of a run, for the admin dashboard. `left` is the number of due rows that are not done,
 * as far as the job knows: the job then runs again in the next minute. `since` is when the oldest
 * of them was due, in ms; without it, the backlog began with the first run that left work.
 */
export type JobResult = JobReport & { left?: number; since?: number };

/** For work that no cron invocation limits. */
export const UNBOUNDED: JobBudget = { canContinue: () => true, kvWrites: () => Infinity };

/** A Worker invocation lives 15 minutes at most, so a run that has not finished by then is dead. */
export const RUN_LIFETIME_MS = 15 * MINUTE_MS;
