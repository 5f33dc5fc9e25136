import { KV_CACHE_SECONDS } from '#contract/limits.ts';
import { decodeEdgeLink, edgeKey, type EdgeLink } from './edge-link.ts';
import type { LinkMemory } from './link-memory.ts';
import { isLimited } from './misses.ts';
import { readOrigin } from './origin.ts';
import { within } from './time-limit.ts';
import { createWatch, type Hold } from './watch.ts';

/** What stands behind a code. `putBack` = KV lacks a copy that it should have. */
export type Resolved =
  | { kind: 'link'; link: EdgeLink; putBack: boolean }
  | { kind: 'unknown' }
  /** KV has no record, and this network has used up its lookups in D1. */
  | { kind: 'limited' }
  /** Neither storage could say. */
  | { kind: 'down' };

export type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;

const KV_LIMIT_MS = 1_000;
const D1_LIMIT_MS = 3_000;
/** A link that changed within this time is the outbox's business: KV may only be late, as it promises no more. */
const FRESH_MS = 120_000;
const guard = createWatch(KV_LIMIT_MS);
const KV_READ = { cacheTtl: KV_CACHE_SECONDS };

/**
 * Reads a link: KV, and D1 where KV has nothing, answers rubbish, fails or is slow. A KV null is not "not found":
 * KV remembers misses for a minute, so only D1 can say that. D1 is not touched on a KV hit, nor for a network that has
 * asked for too many unknown codes.
 * `memoryMs` is how long what was found is remembered here; `now` in ms since 1970; `hold` is `ctx.waitUntil`.
 * No async function, because every redirect that is not remembered goes through here.
 */
export function resolve(
  code: string,
  request: Request,
  stores: Stores,
  memory: LinkMemory,
  memoryMs: number,
  now: number,
  hold: Hold,
): Promise<Resolved> {
  return guard(() => stores.LINKS.get(edgeKey(stores.LINKS_EPOCH, '', code), KV_READ), now, hold).then(
    (text) => {
      const copy = text === null ? null : decodeEdgeLink(text);
      if (copy === null) return askOrigin(code, request, stores.DB, memory, memoryMs, now, true);
      return { kind: 'link', link: memory.remember(code, copy, now, memoryMs), putBack: false };
    },
    () => askOrigin(code, request, stores.DB, memory, memoryMs, now, false),
  );
}

/** D1's word on a code. `lacks` = KV answered and has no copy. */
async function askOrigin(
  code: string,
  request: Request,
  db: D1Database,
  memory: LinkMemory,
  memoryMs: number,
  now: number,
  lacks: boolean,
): Promise<Resolved> {
  if (isLimited(request, now)) return { kind: 'limited' };
  try {
    const origin = await within(D1_LIMIT_MS, readOrigin(db, '', code));
    if (origin === null) {
      memory.rememberMiss(code, now, memoryMs);
      return { kind: 'unknown' };
    }
    const link = memory.remember(code, origin.link, now, memoryMs);
    return { kind: 'link', link, putBack: lacks && origin.changedAt < now - FRESH_MS };
  } catch {
    return { kind: 'down' };
  }
}
