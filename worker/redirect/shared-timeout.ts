import { TimeoutError } from './with-timeout.ts';

/** Keeps work alive after the response: `ctx.waitUntil`. */
export type WaitUntil = (work: Promise<unknown>) => void;

type PendingRead = { startedAt: number; reject: (reason: Error) => void };
/** One request that watches the pending reads of all requests. Times are ms since 1970. */
type Watcher = { pending: Set<PendingRead>; startedAt: number; checkedAt: number };

const CHECK_EVERY_MS = 250;
/**
 * Well under the 30 s that the platform grants `waitUntil`. After that, the next read starts a new
 * watcher.
 */
const WATCH_FOR_MS = 15_000;
/** A watcher that has not checked for this long was cancelled together with its request. */
const STALE_AFTER_MS = 1_500;

/**
 * One time limit for the concurrent reads of all requests in this isolate. A timer per read would
 * cost 10 % of a redirect, so one request at a time watches the reads of all requests within its
 * `waitUntil`.
 *
 * The returned function starts `read` and settles like it, or rejects with `TimeoutError` after
 * `limitMs` to `limitMs` + 250 ms. A `read` that throws rejects as well. `now` is ms since 1970.
 */
export function createSharedTimeout(limitMs: number) {
  let current: Watcher | null = null;

  const watch = async (watcher: Watcher): Promise<void> => {
    do {
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
      watcher.checkedAt = Date.now();
      // Reads are in the order of their start, so the first one that is in time ends the search.
      for (const read of watcher.pending) {
        if (read.startedAt + limitMs > watcher.checkedAt) break;
        watcher.pending.delete(read);
        read.reject(new TimeoutError(`no answer within ${limitMs} ms`));
      }
      if (current === watcher && watcher.checkedAt - watcher.startedAt > WATCH_FOR_MS)
        current = null;
    } while (watcher.pending.size > 0);
    if (current === watcher) current = null;
  };

  return function sharedTimeout<T>(
    read: () => Promise<T>,
    now: number,
    waitUntil: WaitUntil,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const work = read();
      if (current === null || now - current.checkedAt > STALE_AFTER_MS) {
        current = { pending: new Set(), startedAt: now, checkedAt: now };
        waitUntil(watch(current));
      }
      const { pending } = current;
      const entry: PendingRead = { startedAt: now, reject };
      pending.add(entry);
      work.then(
        (value) => {
          pending.delete(entry);
          resolve(value);
        },
        (error: unknown) => {
          pending.delete(entry);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  };
}
