import type { LinkKey } from '#contract/link-key.ts';
import type { EdgeRecord } from './edge-record.ts';
import { createLru } from './lru.ts';

/** A record that this isolate has read, and when it expires here (ms since 1970). */
type RememberedLink = { record: EdgeRecord; expiresAt: number };

/** The longest time for which an unknown code is not looked up again. */
const MAX_MISS_MS = 5_000;
/** How long an expired record still prevents older versions from being remembered. */
const OUTDATES_FOR_MS = 60_000;
/** The LRU keeps two generations of this size. */
const MAX_LINKS = 1_000;
const MAX_MISSES = 500;

export type LinkMemory = ReturnType<typeof createLinkMemory>;

/**
 * The links that one isolate has read within the last seconds. It saves a billed KV read, which
 * takes half of a redirect's time. It is bounded and never the source of truth, because an isolate
 * can end at any time. All times are ms since 1970.
 */
export function createLinkMemory(maxLinks = MAX_LINKS, maxMisses = MAX_MISSES) {
  const links = createLru<RememberedLink>(maxLinks);
  const misses = createLru<number>(maxMisses);

  return {
    /** The record under `key`, unless it has expired here. */
    get(key: LinkKey, now: number): EdgeRecord | undefined {
      const known = links.get(key);
      return known === undefined || known.expiresAt <= now ? undefined : known.record;
    },

    /**
     * Remembers a record for `ms` milliseconds and returns the one to use now. The newer of this
     * record and the remembered one wins, so that a stale read of KV does not undo a change that
     * this isolate knows.
     */
    set(key: LinkKey, record: EdgeRecord, now: number, ms: number): EdgeRecord {
      misses.delete(key);
      const known = links.get(key);
      const isOutdated =
        known !== undefined && known.record.v > record.v && known.expiresAt + OUTDATES_FOR_MS > now;
      const current = isOutdated ? known.record : record;
      if (ms > 0) links.set(key, { record: current, expiresAt: now + ms });
      return current;
    },

    /** True if D1 has recently answered that `key` does not exist. */
    hasMiss(key: LinkKey, now: number): boolean {
      const expiresAt = misses.get(key);
      return expiresAt !== undefined && expiresAt > now;
    },

    setMiss(key: LinkKey, now: number, ms: number): void {
      if (ms > 0) misses.set(key, now + Math.min(ms, MAX_MISS_MS));
    },

    /**
     * Applies a change made in this isolate at once: replaces an older record and removes a miss.
     */
    update(key: LinkKey, record: EdgeRecord): void {
      misses.delete(key);
      const known = links.get(key);
      if (known !== undefined && known.record.v < record.v)
        links.set(key, { record, expiresAt: known.expiresAt });
    },

    /** The number of entries, including expired ones. */
    size: () => ({ links: links.size(), misses: misses.size() }),
  };
}

export const linkMemory: LinkMemory = createLinkMemory();
