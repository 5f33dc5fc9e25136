import { KV_CACHE_SECONDS } from '#contract/limits.ts';
import { batchLookups } from './batch-lookups.ts';
import { HOST_MEMORY_MS, hostMemory } from './host-memory.ts';
import {
  decodeHostRecord,
  HOST_ROWS,
  hostKey,
  toHostRecord,
  type HostRecord,
  type HostRow,
} from './host-record.ts';
import { isOverMissLimit } from './miss-limit.ts';
import { createSharedTimeout, type WaitUntil } from './shared-timeout.ts';
import { withTimeout } from './with-timeout.ts';

export type HostLookup = {
  request: Request;
  env: Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;
  now: number;
  waitUntil: WaitUntil;
  /** Writes the host's record to KV again. */
  backfill: (host: string) => Promise<unknown>;
};

const KV_TIMEOUT_MS = 1_000;
const D1_TIMEOUT_MS = 3_000;
const KV_READ = { cacheTtl: KV_CACHE_SECONDS };
const readWithTimeout = createSharedTimeout(KV_TIMEOUT_MS);
const lookUp = batchLookups({ everyMs: 50, codes: 100, suspectCodes: 50 }, queryHosts);

/**
 * Finds the domain of a host: from KV, or from D1 if KV has no valid record, fails or is slow. A KV
 * hit never reads D1. Null for a host that leads to no domain, 'down' if neither storage answered.
 */
export async function resolveHost(
  host: string,
  lookup: HostLookup,
): Promise<HostRecord | null | 'down'> {
  const { env, now, waitUntil } = lookup;
  let text: string | null = null;
  let isMissing = true;
  try {
    const key = hostKey(env.LINKS_EPOCH, host);
    text = await readWithTimeout(() => env.LINKS.get(key, KV_READ), now, waitUntil);
  } catch {
    isMissing = false;
  }
  const record = text === null ? null : decodeHostRecord(text);
  if (record === null) return resolveFromD1(host, lookup, isMissing);
  return hostMemory.set(host, record, now, HOST_MEMORY_MS);
}

/** `isMissing`: KV answered and has no valid record. */
async function resolveFromD1(
  host: string,
  { request, env, now, waitUntil, backfill }: HostLookup,
  isMissing: boolean,
): Promise<HostRecord | null | 'down'> {
  try {
    const isSuspect = isOverMissLimit(request, now);
    const found = await withTimeout(D1_TIMEOUT_MS, lookUp(env.DB, host, isSuspect, now, waitUntil));
    if (found === 'full') return 'down';
    if (found !== null && isMissing) waitUntil(backfill(host).catch(() => undefined));
    return hostMemory.set(host, found, now, HOST_MEMORY_MS);
  } catch {
    return 'down';
  }
}

async function queryHosts(
  db: D1Database,
  hosts: readonly string[],
): Promise<Map<string, HostRecord>> {
  const { results } = await db
    .prepare(`WITH hosts (host) AS (SELECT value FROM json_each(?1)) ${HOST_ROWS}`)
    .bind(JSON.stringify(hosts))
    .all<HostRow>();
  return new Map(results.map((row) => [row.host, toHostRecord(row)]));
}
