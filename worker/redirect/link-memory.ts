import type { EdgeLink } from './edge-link.ts';
import { generations } from './generations.ts';

/** A link that this isolate has just read, and until when it believes it. */
export type Remembered = { link: EdgeLink; until: number };

/** Codes that were not there a moment ago are asked for again after this long at the latest. */
const MISS_MS = 5_000;
/** A copy that ran out no longer than this ago still proves that an older version is stale. */
const NEWER_COUNTS_MS = 60_000;
/** Per generation; there are two. */
const MOST_LINKS = 1_000;
const MOST_MISSES = 500;

export type LinkMemory = ReturnType<typeof createLinkMemory>;

/**
 * What one isolate remembers of links for a few seconds: it saves a billed KV read and half of a redirect's time.
 * Bounded, least recently used out. Never a state of record: an isolate dies at any time.
 * Times are ms since 1970.
 */
export function createLinkMemory(mostLinks = MOST_LINKS, mostMisses = MOST_MISSES) {
  const links = generations<Remembered>(mostLinks);
  const misses = generations<number>(mostMisses);

  return {
    /** The link, unless its time is over. */
    recall(code: string, now: number): Remembered | undefined {
      const known = links.get(code);
      return known === undefined || known.until <= now ? undefined : known;
    },

    /**
     * Keeps a link for `ms` and returns what is to be used now: of two copies the one of the higher version,
     * so that a stale KV copy does not take back what this isolate already knows.
     */
    remember(code: string, link: EdgeLink, now: number, ms: number): EdgeLink {
      misses.delete(code);
      const known = links.get(code);
      const isNewer = known !== undefined && known.link.v > link.v && known.until + NEWER_COUNTS_MS > now;
      const kept = isNewer ? known.link : link;
      if (ms > 0) links.set(code, { link: kept, until: now + ms });
      return kept;
    },

    /** True where D1 said a moment ago that there is no such code. */
    recallMiss(code: string, now: number): boolean {
      const until = misses.get(code);
      return until !== undefined && until > now;
    },

    rememberMiss(code: string, now: number, ms: number): void {
      if (ms > 0) misses.set(code, now + Math.min(ms, MISS_MS));
    },

    /** A change made through this very isolate: an older copy and a remembered miss end at once. */
    learn(code: string, link: EdgeLink): void {
      misses.delete(code);
      const known = links.get(code);
      if (known !== undefined && known.link.v < link.v) links.set(code, { link, until: known.until });
    },

    /** How many entries there are, those whose time is over included. */
    size: () => ({ links: links.size(), misses: misses.size() }),
  };
}

/** This isolate's memory. */
export const linkMemory: LinkMemory = createLinkMemory();
