import type { JobBudget } from '#worker/db/job-budget.ts';

/** D1 allows an invocation 1,000 statements. A job finishes its step after its share is used up, and later jobs get their minimum. */
const MAX_STATEMENTS = 650;
/** KV allows an invocation 1,000 operations. Jobs that write a few keys do not ask. */
const MAX_KV_WRITES = 900;
/** An invocation lives 15 minutes at most. CPU time, at most 30 s, is not measurable here: a statement takes some 0.2 ms of it. */
const MAX_MS = 9 * 60_000;
/** A job may use a third of what the jobs before it have left, and this much in any case. */
const MIN_STATEMENTS = 25;

/** Counts what the jobs of one cron invocation do, and shares its limits out among them. `clock` returns ms. */
export function startInvocation(env: Env, clock: () => number = Date.now) {
  const endsAt = clock() + MAX_MS;
  let statements = 0;
  let kvWrites = 0;
  return {
    /** The environment for the jobs. */
    env: {
      ...env,
      DB: countCalls(env.DB, 'prepare', () => statements++),
      LINKS: countCalls(env.LINKS, 'put', () => kvWrites++),
    },
    /** The budget of the next job. */
    allot(): JobBudget {
      const mayReach = statements + Math.max(MIN_STATEMENTS, Math.floor((MAX_STATEMENTS - statements) / 3));
      const until = clock() + (endsAt - clock()) / 3;
      return {
        canContinue: () => statements < mayReach && clock() < until,
        kvWrites: () => Math.max(0, MAX_KV_WRITES - kvWrites),
      };
    },
  };
}

/** `binding`, with `count` called before each call of `method`. */
function countCalls<T extends object>(binding: T, method: keyof T, count: () => void): T {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== method) return value.bind(target);
      return (...args: unknown[]): unknown => {
        count();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
