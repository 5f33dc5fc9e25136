import { LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import type { HostRecord } from './host-record.ts';
import { createLru } from './lru.ts';

/**
 * How long a host is remembered, in ms. LINK_MEMORY_MS does not change it: without a memory, each
 * redirect on another host would read KV twice.
 */
const REMEMBERED_FOR_MS = LINK_MEMORY_SECONDS * 1000;
/** Hosts that are not ours can be invented, so they share the room with those that are. */
const MAX_HOSTS = 500;
/** How long an expired record still prevents older versions from being remembered, in ms. */
const OUTDATES_FOR_MS = 60_000;

/** The hosts that one isolate has read within the last seconds; null for an unknown one. */
export function createHostMemory(maxHosts = MAX_HOSTS) {
  const hosts = createLru<{ record: HostRecord | null; expiresAt: number }>(maxHosts);

  return {
    /** Undefined if the host is not remembered. `now` is ms since 1970. */
    get(host: string, now: number): HostRecord | null | undefined {
      const known = hosts.get(host);
      return known === undefined || known.expiresAt <= now ? undefined : known.record;
    },

    /**
     * Remembers a record and returns the one to use now: the newer of this record and the remembered
     * one, so that a stale read of KV does not undo a change. Null is D1's answer, which is never
     * stale.
     */
    set(host: string, record: HostRecord | null, now: number): HostRecord | null {
      const known = hosts.get(host);
      const isOutdated =
        record !== null &&
        known !== undefined &&
        (known.record?.v ?? 0) > record.v &&
        known.expiresAt + OUTDATES_FOR_MS > now;
      const current = isOutdated ? known.record : record;
      hosts.set(host, { record: current, expiresAt: now + REMEMBERED_FOR_MS });
      return current;
    },

    /** Applies a change made in this isolate at once. */
    update(host: string, record: HostRecord): void {
      const known = hosts.get(host);
      if (known !== undefined && (known.record?.v ?? 0) <= record.v)
        hosts.set(host, { record, expiresAt: known.expiresAt });
    },
  };
}

export const hostMemory = createHostMemory();
