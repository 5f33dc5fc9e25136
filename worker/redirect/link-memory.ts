import type { LinkKey } from '#contract/codes/link-key.ts';
import type { EdgeRecord } from './edge-record.ts';
import { createLru } from './lru.ts';
import { createRecordMemory } from './record-memory.ts';

/** The longest time for which an unknown code is not looked up again. */
const MAX_MISS_MS = 5_000;
/** The LRU keeps two generations of this size. */
const MAX_LINKS = 1_000;
const MAX_MISSES = 500;

export type LinkMemory = ReturnType<typeof createLinkMemory>;

/**
 * The links that one isolate has read within the last seconds, and the codes that no link has. It
 * saves a billed KV read, which takes half of a redirect's time.
 */
export function createLinkMemory(maxLinks = MAX_LINKS, maxMisses = MAX_MISSES) {
  const links = createRecordMemory<EdgeRecord>(maxLinks);
  const misses = createLru<number>(maxMisses);

  return {
    get: links.get,

    set(key: LinkKey, record: EdgeRecord, now: number, ms: number): EdgeRecord {
      misses.delete(key);
      return links.set(key, record, now, ms);
    },

    /** True if D1 has recently answered that `key` does not exist. */
    hasMiss(key: LinkKey, now: number): boolean {
      const expiresAt = misses.get(key);
      return expiresAt !== undefined && expiresAt > now;
    },

    setMiss(key: LinkKey, now: number, ms: number): void {
      if (ms > 0) misses.set(key, now + Math.min(ms, MAX_MISS_MS));
    },

    /** Applies a change made in this isolate at once, and removes a miss. */
    update(key: LinkKey, record: EdgeRecord): void {
      misses.delete(key);
      links.update(key, record);
    },

    /** The number of entries, including expired ones. */
    size: () => ({ links: links.size(), misses: misses.size() }),
  };
}

export const linkMemory: LinkMemory = createLinkMemory();
