import type { JobBudget } from '#worker/job-runtime/job-budget.ts';
import { countStatements } from '#worker/db/count-statements.ts';
import { boundShards } from '#worker/db/shards.ts';
import { withMethods } from '#worker/db/with-methods.ts';

type Limits = {
  /** A job finishes its step after its share of these is used up. */
  statements: number;
  /** The statements that a job may use in any case, beside its share of those that are left. */
  perJob: number;
  /** No job starts after this many statements. */
  startUntil: number;
  /** The statement after this many throws. Statements of the schedule itself do not count. */
  most: number;
};

/**
 * D1 allows an invocation 1,000 statements on the paid plan and 50 on the free one. The limits for
 * jobs are lower, because a job whose share is used up still finishes its step, and two more
 * statements record its run.
 */
const LIMITS: Record<'paid' | 'free', Limits> = {
  paid: { statements: 650, perJob: 25, startUntil: Infinity, most: 990 },
  // This leaves a step of 15 statements after the share is used up, and at least 18 for the job
  // that starts last. Few jobs start, because the free plan also allows only 10 ms of CPU time, and
  // a job without work takes 5 statements of some 0.3 ms each.
  free: { statements: 28, perJob: 1, startUntil: 10, most: 43 },
};
/** KV allows an invocation 1,000 operations. Jobs that write only a few keys do not check this. */
const MAX_KV_WRITES = 900;
/**
 * The platform ends an invocation after 15 minutes, or after 30 s of CPU time. CPU time cannot be
 * measured here; a statement takes about 0.2 ms of it.
 */
const MAX_MS = 9 * 60_000;

export type Invocation = ReturnType<typeof startInvocation>;

/**
 * Counts the statements and KV writes of the jobs in one cron invocation, and divides its limits
 * among them. `clock` returns ms.
 */
export function startInvocation(env: Env, clock: () => number = Date.now) {
  const isSmall = env.WORKERS_PLAN === 'free';
  const limits = LIMITS[isSmall ? 'free' : 'paid'];
  const endsAt = clock() + MAX_MS;
  let statements = 0;
  let kvWrites = 0;
  let isSpent = false;
  const countForJob = (): void => {
    isSpent = statements >= limits.most;
    if (isSpent) throw new Error('This invocation has used up its statements.');
    statements++;
  };
  const shards = boundShards(env).map(([name, db]) => [name, countStatements(db, countForJob)]);
  const put = (...args: Parameters<KVNamespace['put']>): Promise<void> => {
    kvWrites++;
    return env.LINKS.put(...args);
  };
  return {
    /** True on the free plan, where the jobs of a minute do not fit into one invocation. */
    isSmall,
    env: {
      ...env,
      DB: countStatements(env.DB, countForJob),
      ...Object.fromEntries(shards),
      LINKS: withMethods(env.LINKS, { put }),
    },
    /** The main database for the schedule's own statements. */
    DB: countStatements(env.DB, () => statements++),
    hasRoom: (): boolean => statements <= limits.startUntil,
    /** True if the limit of statements has stopped the current job. */
    isSpent: (): boolean => isSpent,
    allot(): JobBudget {
      isSpent = false;
      const share = Math.floor((limits.statements - statements) / (isSmall ? 1 : 3));
      const mayReach = statements + Math.max(limits.perJob, share);
      const until = clock() + (endsAt - clock()) / 3;
      return {
        canContinue: () => statements < mayReach && clock() < until,
        kvWrites: () => Math.max(0, MAX_KV_WRITES - kvWrites),
      };
    },
  };
}
