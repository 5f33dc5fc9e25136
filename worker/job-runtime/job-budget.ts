/**
 * What one run of a job may do. A job asks before every further step, and leaves the rest to its
 * next run.
 */
export type JobBudget = {
  /** False once the job has used its share of the invocation's statements or of its time. */
  canContinue: () => boolean;
  /** How many more values the job may write to KV. */
  kvWrites: () => number;
};

/**
 * What a run did, for the admin dashboard. `left` is the number of rows that are due and not done,
 * as far as the job knows: the job then runs again in the next minute. `since` is when the oldest
 * of them was due, in ms; without it the backlog counts as starting with the first run that left
 * something.
 */
export type JobResult = string | { detail: string; left: number; since?: number };

/** For work that no cron invocation limits. */
export const UNBOUNDED: JobBudget = { canContinue: () => true, kvWrites: () => Infinity };
