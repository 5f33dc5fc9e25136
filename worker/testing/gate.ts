import type { Around } from './faults.ts';

/**
 * The outcome of a storage call that waits at the gate. `die` ends its whole invocation without an
 * error.
 */
export type Verdict = 'go' | 'fail-before' | 'fail-after' | 'die';

type Waiting = { task: number; name: string; since: number; decide: (verdict: Verdict) => void };

export type Gate = ReturnType<typeof makeGate>;

/**
 * Delays every storage call of every task until the test decides about it, so that a test can try
 * interleavings one by one. `now` is the clock in ms that stamps the calls. Call `settled()`
 * between two decisions.
 */
export function makeGate(now: () => number) {
  let waiting: Waiting[] = [];
  const dead = new Set<number>();
  const free = new Set<number>();
  let tasks = 0;
  let running = 0;

  const around =
    (task: number): Around =>
    async (name, run) => {
      const verdict = await new Promise<Verdict>((decide) => {
        if (free.has(task)) decide('go');
        else if (!dead.has(task)) waiting.push({ task, name, since: now(), decide });
      });
      if (verdict === 'fail-before') throw new Error(`${name} failed`);
      running++;
      try {
        const result = await run();
        if (verdict === 'fail-after') throw new Error(`${name} failed after it happened`);
        return result;
      } finally {
        running--;
      }
    };

  const settle = (index: number, verdict: Verdict): Waiting | undefined => {
    const [one] = waiting.splice(index, 1);
    if (one === undefined) return undefined;
    if (verdict !== 'die') one.decide(verdict);
    else {
      dead.add(one.task);
      waiting = waiting.filter(({ task }) => task !== one.task);
    }
    return one;
  };

  return {
    /**
     * Returns the wrapper for a new task's storage calls. If `held`, each call waits for a
     * decision.
     */
    task(held: boolean): Around {
      tasks++;
      if (!held) free.add(tasks);
      return around(tasks);
    },
    start(work: () => Promise<void>, onError: (error: unknown) => void): void {
      void work().catch(onError);
    },
    /** Decides about one of the waiting calls. `index` may be any natural number. */
    decide(index: number, verdict: Verdict): Waiting | undefined {
      return waiting.length === 0 ? undefined : settle(index % waiting.length, verdict);
    },
    /** Ends the invocations whose calls have waited longer than `ms`. */
    expire(ms: number): void {
      for (;;) {
        const index = waiting.findIndex(({ since }) => since + ms < now());
        if (index === -1) return;
        settle(index, 'die');
      }
    },
    waiting: () => waiting.length,
    /** Resolves when every task has ended or waits at the gate. */
    async settled(): Promise<void> {
      for (let calm = 0; calm < 2; calm = running === 0 ? calm + 1 : 0) await scheduler.wait(0);
    },
  };
}
