import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { DISABLE_BOUND_SECONDS, LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import { openDb } from '#worker/db/client.ts';
import { drainOutbox } from '#worker/edge/drain-outbox.ts';
import { changeLink, deleteLink } from '#worker/links/write/change-link.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { makeDraft } from './link-drafts.ts';
import type { LinkEdit } from '#worker/links/write/link-draft.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { shorten } from '#worker/links/write/shorten.ts';
import {
  decodeEdgeRecord,
  encodeEdgeRecord,
  isLive,
  toEdgeRecord,
  type EdgeRecord,
  type EdgeRecordRow,
} from '#worker/redirect/edge-record.ts';
import { createLinkMemory } from '#worker/redirect/link-memory.ts';
import { resolveLink } from '#worker/redirect/resolve-link.ts';
import { createStoredLinkReader } from '#worker/redirect/stored-link.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { aroundD1, aroundKv, kvAtLocation, makeClock } from './faults.ts';
import { makeGate } from './gate.ts';

/** Two links: changes of one link can interleave, and must not affect the other. */
export const LINKS = 2;
export const LOCATIONS = 2;
export type Change = 'create' | 'edit' | 'disable' | 'enable' | 'delete' | 'end';

const MEMORY_MS = LINK_MEMORY_SECONDS * 1000;
const BOUND_MS = DISABLE_BOUND_SECONDS * 1000;
/** The platform ends an invocation at the latest this long after its response. */
const INVOCATION_MS = 30_000;
const OLD_MS = 600_000;
/** The request of every read. No network reaches a limit here. */
const ASKER = new Request('https://hop.example/');

let worlds = 0;

export type World = Awaited<ReturnType<typeof makeWorld>>;

/**
 * A small product: two links, two locations, one database, a clock, and a gate that can delay the
 * storage calls of reads, publishing and cron. Link 0 is old and missing from KV; link 1 does not
 * exist yet. A change is one D1 batch, so nothing can interleave with it, but later steps can fail.
 */
export async function makeWorld(userId: string) {
  const serial = ++worlds;
  const clock = makeClock(1_800_000_000_000 + serial * 10_000_000);
  const gate = makeGate(clock.now);
  const codes = Array.from({ length: LINKS }, (_, link) => `w${serial}-${link}`);
  /** The versions that KV has held per link, with their start times. Version 0 means no value. */
  const held: { at: number; v: number }[][] = codes.map(() => [{ at: clock.now(), v: 0 }]);
  /** The time at which the 201 of each link was sent. */
  const created: (number | undefined)[] = [];
  const broken: string[] = [];
  let edits = 0;
  const db = openDb(env.DB);

  const central = withMethods(env.LINKS, {
    put: async (key: string, value: string) => {
      await env.LINKS.put(key, value);
      held[codes.indexOf(key)]?.push({ at: clock.now(), v: decodeEdgeRecord(value)?.v ?? -1 });
    },
  });
  const locations = Array.from({ length: LOCATIONS }, () => ({
    kv: kvAtLocation(central, clock),
    memory: createLinkMemory(),
    // Reads must not wait, because the clock of this world stands still during a statement.
    readStoredLink: createStoredLinkReader({ everyMs: 0, codes: 200, suspectCodes: 100 }),
  }));

  const storesAt = (location: number, isHeld: boolean) => {
    const around = gate.task(isHeld);
    return {
      DB: aroundD1(env.DB, around),
      LINKS: aroundKv(locations[location]?.kv ?? central, around),
      LINKS_EPOCH: '',
    };
  };
  /** The test causes storage failures. Any other error is a bug. */
  const onError = (error: unknown): void => {
    if (!/failed/i.test(String(error))) broken.push(`threw ${String(error)}`);
  };

  const change = (kind: Change, link: number, isHeld: boolean): void => {
    const stores = storesAt(0, isHeld);
    gate.start(async () => {
      const id = await write(kind, link);
      if (id !== null) await publishLinks(stores, [id], clock.now());
    }, onError);
  };

  const write = async (kind: Change, link: number): Promise<number | null> => {
    const code = codes[link] ?? '';
    const now = clock.now();
    if (kind === 'create') {
      const target = { href: 'https://example.com/0', host: 'example.com' };
      const made = await shorten(db, makeDraft({ target, code }), {
        creator: { userId },
        reputation: null,
        now,
        random: cryptoRandom,
      });
      if (made.ok) created[link] ??= now;
      return made.ok ? made.id : null;
    }
    const done =
      kind === 'delete'
        ? await deleteLink(db, { actor: { userId, keyName: null }, ref: { code }, now })
        : await changeLink(db, {
            actor: { userId, keyName: null },
            ref: { code },
            edit: toEdit(kind, now),
            reputation: null,
            now,
          });
    return done.ok ? done.link.id : null;
  };

  const toEdit = (kind: Exclude<Change, 'create' | 'delete'>, now: number): LinkEdit => {
    if (kind === 'edit')
      return { target: { href: `https://example.com/${++edits}`, host: 'example.com' } };
    return kind === 'end' ? { expiresAt: now + 2_000 } : { enabled: kind === 'enable' };
  };

  /**
   * Performs a redirect like worker/redirect/redirect.ts. With `current`, only the state in D1 is
   * correct.
   */
  const read = (
    link: number,
    at: number,
    isHeld: boolean,
    expected: 'bounded' | 'current' = 'bounded',
  ): void => {
    const code = codes[link] ?? '';
    const { memory, readStoredLink } = locations[at] ?? {
      memory: createLinkMemory(),
      readStoredLink: createStoredLinkReader(),
    };
    const stores = storesAt(at, isHeld);
    const now = clock.now();
    /** The oldest version that KV has held within the bound. A read may not see an older one. */
    const floor = oldestSince(held[link] ?? [], now - BOUND_MS);
    const hadBeenCreated = (created[link] ?? Infinity) + MEMORY_MS < now;
    gate.start(async () => {
      const known = memory.get(code, now);
      const found =
        known !== undefined
          ? { kind: 'link' as const, record: known, needsBackfill: false }
          : memory.hasMiss(code, now)
            ? { kind: 'unknown' as const }
            : await resolveLink(code, {
                request: ASKER,
                stores,
                memory,
                readStoredLink,
                memoryMs: MEMORY_MS,
                now,
                waitUntil: () => undefined,
              });
      if (found.kind === 'unknown') {
        if (hadBeenCreated) broken.push(`${code}: 404 more than ${MEMORY_MS} ms after its 201`);
        return;
      }
      if (found.kind !== 'link') return;
      if (found.record.v < floor)
        broken.push(
          `${code}: version ${found.record.v} seen, KV had had ${floor} for ${BOUND_MS} ms`,
        );
      if (expected === 'current') {
        const truth = await truthOf(code);
        if (
          truth !== null &&
          (found.record.v !== truth.v || isLive(found.record, now) !== isLive(truth, now))
        )
          broken.push(`${code}: not what D1 says`);
      }
      if (found.needsBackfill) await publishLinks(stores, [found.record.i], now);
    }, onError);
  };

  await write('create', 0);
  await env.DB.prepare(`DELETE FROM link_outbox`).run();
  clock.advance(OLD_MS);

  return {
    gate,
    change,
    read,
    cron(isHeld: boolean): void {
      const stores = storesAt(0, isHeld);
      gate.start(async () => void (await drainOutbox(stores, clock.now())), onError);
    },
    wait(ms: number): void {
      clock.advance(ms);
      vi.advanceTimersByTime(ms);
      gate.expire(INVOCATION_MS);
    },
    async finish(): Promise<void> {
      await gate.settled();
      while (gate.waiting() > 0) {
        gate.decide(0, 'go');
        await gate.settled();
      }
    },
    /**
     * Returns the codes whose edge record differs from D1. A missing record of an unchanged link is
     * correct, because reads fall back to D1.
     */
    async differences(): Promise<string[]> {
      const found: string[] = [];
      for (const code of codes) {
        const truth = await truthOf(code);
        const copy = await env.LINKS.get(code);
        if (copy === null && truth?.v === 1) continue;
        if (copy !== (truth === null ? null : encodeEdgeRecord(truth)))
          found.push(`${code}: D1 ${JSON.stringify(truth)}, KV ${copy}`);
      }
      return found;
    },
    async pending(): Promise<number> {
      return (
        (await env.DB.prepare('SELECT count(*) AS n FROM link_outbox').first<{ n: number }>())?.n ??
        -1
      );
    },
    broken: () => broken,
  };
}

async function truthOf(code: string): Promise<EdgeRecord | null> {
  const row = await env.DB.prepare(`SELECT * FROM links WHERE code = ? AND released_at IS NULL`)
    .bind(code)
    .first<EdgeRecordRow>();
  return row === null ? null : toEdgeRecord(row);
}

/** Returns the lowest version held at any moment from `since` on. */
function oldestSince(history: readonly { at: number; v: number }[], since: number): number {
  let oldest = Infinity;
  for (const [index, { v }] of history.entries()) {
    const until = history[index + 1]?.at ?? Infinity;
    if (until >= since) oldest = Math.min(oldest, v);
  }
  return oldest;
}
