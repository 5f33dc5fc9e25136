import type { WaitUntil } from './shared-timeout.ts';

/** Codes that one statement looks up. `startsAt` in ms since 1970. */
type Batch<T> = {
  codes: Set<string>;
  startsAt: number;
  found: Promise<ReadonlyMap<string, T>>;
};

/**
 * Times in ms. `codes` is the most codes of a batch, `suspectCodes` the most for networks over
 * their limit of unknown codes.
 */
export type LookupLimits = { everyMs: number; codes: number; suspectCodes: number };

/** A batch that is this late belonged to a request that was cancelled. */
const STALE_AFTER_MS = 1_000;

/**
 * Looks up codes in D1 for all requests of this isolate, with at most one statement per `everyMs`.
 * A flood of unknown codes therefore costs a bounded number of reads, from however many networks it
 * comes. The first lookup after a pause starts at once; others wait for the next statement,
 * together.
 *
 * The returned function gives null for a code that `readAll` does not find, and 'full' if the next
 * statement has no room. `isSuspect` means that the network is over its limit of unknown codes, so
 * it must leave room for others. Rejects if D1 fails. `now` is ms since 1970.
 */
export function batchLookups<T>(
  { everyMs, codes: maxCodes, suspectCodes }: LookupLimits,
  readAll: (db: D1Database, codes: readonly string[]) => Promise<ReadonlyMap<string, T>>,
) {
  let open: Batch<T> | null = null;
  let nextStart = 0;

  /**
   * Reads a batch when it is due. Its request stays alive until then, because others wait for it.
   */
  const read = async (
    batch: Batch<T>,
    db: D1Database,
    waitMs: number,
  ): Promise<ReadonlyMap<string, T>> => {
    if (waitMs > 0) await scheduler.wait(waitMs);
    if (open === batch) open = null;
    return readAll(db, [...batch.codes]);
  };

  return async function lookUp(
    db: D1Database,
    code: string,
    isSuspect: boolean,
    now: number,
    waitUntil: WaitUntil,
  ): Promise<T | null | 'full'> {
    let batch = open;
    if (batch === null || batch.startsAt + STALE_AFTER_MS < now) {
      // A clock that was set back must not delay the next statement.
      const startsAt = nextStart <= now + everyMs ? Math.max(now, nextStart) : now;
      nextStart = startsAt + everyMs;
      const opened: Batch<T> = {
        codes: new Set([code]),
        startsAt,
        found: Promise.resolve(new Map()),
      };
      open = opened;
      opened.found = read(opened, db, startsAt - now);
      waitUntil(opened.found.catch(() => undefined));
      batch = opened;
    } else if (!batch.codes.has(code)) {
      if (batch.codes.size >= (isSuspect ? suspectCodes : maxCodes)) return 'full';
      batch.codes.add(code);
    }
    return (await batch.found).get(code) ?? null;
  };
}
