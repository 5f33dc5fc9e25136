import { LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import type { HostRecord } from './host-record.ts';
import { createRecordMemory } from './record-memory.ts';

/**
 * How long a host is remembered, in ms. LINK_MEMORY_MS does not change it: without a memory, each
 * redirect on another host would read KV twice.
 */
export const HOST_MEMORY_MS = LINK_MEMORY_SECONDS * 1000;
/** Hosts that are not ours can be invented, so they share the room with those that are. */
const MAX_HOSTS = 500;

/** The hosts that this isolate has read; null for an unknown one. */
export const hostMemory = createRecordMemory<HostRecord | null>(MAX_HOSTS);
