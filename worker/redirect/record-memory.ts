import { createLru } from './lru.ts';

/** How long an expired record still prevents older versions from being remembered, in ms. */
const OUTDATES_FOR_MS = 60_000;

/**
 * The records that an isolate has read within the last seconds. Null means that D1 has no record,
 * which is never stale. The memory is bounded, and never the source of truth, because an isolate
 * can end at any time. All times are ms since 1970.
 */
export function createRecordMemory<T extends { v: number } | null>(max: number) {
  const records = createLru<{ record: T; expiresAt: number }>(max);

  return {
    /** The record under `key`; undefined if there is none or it has expired here. */
    get: (key: string, now: number): T | undefined => {
      const known = records.get(key);
      return known === undefined || known.expiresAt <= now ? undefined : known.record;
    },

    /**
     * Remembers a record for `ms` milliseconds and returns the one to use now. The newer of this
     * record and the remembered one wins, so that a stale read of KV does not undo a change that
     * this isolate knows.
     */
    set(key: string, record: T, now: number, ms: number): T {
      const known = records.get(key);
      const isOutdated =
        record !== null &&
        known !== undefined &&
        (known.record?.v ?? 0) > record.v &&
        known.expiresAt + OUTDATES_FOR_MS > now;
      const current = isOutdated ? known.record : record;
      if (ms > 0) records.set(key, { record: current, expiresAt: now + ms });
      return current;
    },

    /** Applies a change made in this isolate at once: replaces a record that is not newer. */
    update(key: string, record: NonNullable<T>): void {
      const known = records.get(key);
      if (known !== undefined && (known.record?.v ?? 0) <= record.v)
        records.set(key, { record, expiresAt: known.expiresAt });
    },

    /** The number of entries, including expired ones. */
    size: records.size,
  };
}
