import { TookTooLong } from './time-limit.ts';

/** Keeps work alive after the answer: `ctx.waitUntil`. */
export type Hold = (work: Promise<unknown>) => void;

type Pending = { since: number; reject: (reason: Error) => void };

const TICK_MS = 250;
/** Well under the 30 s that `waitUntil` has; then another request's watch takes over. */
const SHIFT_MS = 15_000;
/** A watch that has not looked for so long died with its request. */
const DEAD_MS = 1_500;

/**
 * One time limit for the reads of all requests of this isolate. A timer of their own costs a tenth of a redirect, so
 * one request keeps watch for all for a while, and the others only put their read on its list.
 * A read that is given up rejects with `TookTooLong` after `limitMs` to `limitMs` + 250 ms.
 */
export function createWatch(limitMs: number) {
  let current: { pending: Set<Pending>; began: number; looked: number } | null = null;

  const keep = async (watch: NonNullable<typeof current>): Promise<void> => {
    do {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      watch.looked = Date.now();
      for (const one of watch.pending) {
        if (one.since + limitMs > watch.looked) break;
        watch.pending.delete(one);
        one.reject(new TookTooLong(`no answer within ${limitMs} ms`));
      }
      if (current === watch && watch.looked - watch.began > SHIFT_MS) current = null;
    } while (watch.pending.size > 0);
    if (current === watch) current = null;
  };

  return function guard<T>(read: () => Promise<T>, now: number, hold: Hold): Promise<T> {
    return new Promise((resolve, reject) => {
      // What is thrown here at once, rejects like everything else.
      const work = read();
      if (current === null || now - current.looked > DEAD_MS) {
        current = { pending: new Set(), began: now, looked: now };
        hold(keep(current));
      }
      const { pending } = current;
      const one: Pending = { since: now, reject };
      pending.add(one);
      work.then(
        (value) => {
          pending.delete(one);
          resolve(value);
        },
        (error: unknown) => {
          pending.delete(one);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  };
}
