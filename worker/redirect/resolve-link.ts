import type { LinkKey } from '#contract/codes/link-key.ts';
import { KV_CACHE_SECONDS } from '#contract/limits.ts';
import { decodeEdgeRecord, edgeKey, type EdgeRecord } from './edge-record.ts';
import type { LinkMemory } from './link-memory.ts';
import { isOverMissLimit } from './miss-limit.ts';
import { createSharedTimeout, type WaitUntil } from './shared-timeout.ts';
import type { StoredLinkReader } from './stored-link.ts';
import { withTimeout } from './with-timeout.ts';

export type ResolvedLink =
  /** `needsBackfill`: KV has no record of this link, but should have one. */
  | { kind: 'link'; record: EdgeRecord; needsBackfill: boolean }
  | { kind: 'unknown' }
  /**
   * KV has no record, and the next read of D1 has no room for a network over its limit of unknown
   * codes.
   */
  | { kind: 'limited' }
  /** Neither KV nor D1 answered, or D1 is overloaded. */
  | { kind: 'down' };

/** `memoryMs` is how long a result is remembered, in ms. `now` is ms since 1970. */
export type Lookup = {
  request: Request;
  stores: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;
  memory: LinkMemory;
  readStoredLink: StoredLinkReader;
  memoryMs: number;
  now: number;
  waitUntil: WaitUntil;
};

const KV_TIMEOUT_MS = 1_000;
const D1_TIMEOUT_MS = 3_000;
/**
 * The outbox publishes a link that has changed within this time. KV is only late then, so the
 * redirect does not backfill it.
 */
const RECENT_CHANGE_MS = 120_000;
const KV_READ = { cacheTtl: KV_CACHE_SECONDS };
const readWithTimeout = createSharedTimeout(KV_TIMEOUT_MS);

/**
 * Finds a link by its key: from KV, or from D1 if KV has no valid record, fails or is slow. A miss
 * in KV does not mean "not found", because KV caches misses for up to a minute; only D1 can tell. A
 * KV hit never reads D1. Not an async function, because every redirect that is not remembered
 * passes through here.
 */
export function resolveLink(key: LinkKey, lookup: Lookup): Promise<ResolvedLink> {
  const { stores, memory, memoryMs, now, waitUntil } = lookup;
  return readWithTimeout(
    () => stores.LINKS.get(edgeKey(stores.LINKS_EPOCH, key), KV_READ),
    now,
    waitUntil,
  ).then(
    (text) => {
      const record = text === null ? null : decodeEdgeRecord(text);
      if (record === null) return resolveFromD1(key, lookup, true);
      return {
        kind: 'link',
        record: memory.set(key, record, now, memoryMs),
        needsBackfill: false,
      };
    },
    () => resolveFromD1(key, lookup, false),
  );
}

/** `isMissingInKv`: KV answered and has no valid record. */
async function resolveFromD1(
  key: LinkKey,
  { request, stores, memory, readStoredLink, memoryMs, now, waitUntil }: Lookup,
  isMissingInKv: boolean,
): Promise<ResolvedLink> {
  const isSuspect = isOverMissLimit(request, now);
  try {
    const stored = await withTimeout(
      D1_TIMEOUT_MS,
      readStoredLink(stores.DB, key, isSuspect, now, waitUntil),
    );
    if (stored === 'full') return { kind: isSuspect ? 'limited' : 'down' };
    if (stored === null) {
      memory.setMiss(key, now, memoryMs);
      return { kind: 'unknown' };
    }
    const record = memory.set(key, stored.record, now, memoryMs);
    return {
      kind: 'link',
      record,
      needsBackfill: isMissingInKv && stored.updatedAt < now - RECENT_CHANGE_MS,
    };
  } catch {
    return { kind: 'down' };
  }
}
