import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { createMessageBatch, createExecutionContext, env, getQueueResult } from 'cloudflare:test';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openShards } from '#worker/db/shards.ts';
import { deleteExpiredData } from '#worker/clicks/maintenance/delete-expired-data.ts';
import { closeMonths } from '#worker/clicks/maintenance/close-months.ts';
import { verifyTotals, readLastVerification } from '#worker/clicks/maintenance/verify-totals.ts';
import { pruneRecentClicks } from '#worker/clicks/maintenance/prune-recent-clicks.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { call } from '#worker/testing/call.ts';
import {
  AUDIENCE,
  clickModel,
  difference,
  storedState,
  toEvent,
  windowIdsIn,
  type Fact,
} from '#worker/testing/click-model.ts';
import { deleteClicks, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { databasesOf, mapShards, withShards, type ShardedEnv } from '#worker/testing/shards.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { foldByShard } from '#worker/clicks/queue/fold-by-shard.ts';

/**
 * Compares the database with a plain model after random histories. Links are created and clicked;
 * their windows are delivered once or several times, out of order, together with a direct write,
 * and with failures before and after each commit. The clicks of the links are in 1, 4 or 16
 * databases. Replay a failure with the printed CLICK_SEED=…, and a single history with
 * CLICK_PATH=…. Run more with CLICK_RUNS=….
 */
const SEEDS = { 1: 20_261, 4: 7, 16: 42 };
const CASES = Object.entries(SEEDS).map(([shards, seed]) => ({
  shards: Number(shards),
  seed: Number(env.CLICK_SEED || seed),
}));
const RUNS = Number(env.CLICK_RUNS || 1);
/** In the future: KV rejects a key that has already expired. */
const START = Date.UTC(2030, 0, 7, 9);

const nat = (max: number) => fc.nat({ max });
/**
 * before: D1 fails. after: D1 commits and its response is lost. flaky: every third batch fails.
 * dies: acknowledgements are lost.
 */
const fault = fc.constantFrom('none', 'none', 'before', 'after', 'flaky', 'dies');
const click = fc.record({
  link: nat(9),
  who: nat(3),
  visitor: nat(6),
  ref: nat(140),
  city: nat(8),
  back: fc.constantFrom(0, 0, 0, 50, 1_000, 5_000),
});
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shorten' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('visit' as const),
      link: nat(9),
      who: nat(3),
      visitor: nat(3),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('click' as const),
      clicks: fc.array(click, { minLength: 1, maxLength: 25 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('flood' as const),
      link: nat(2),
      from: nat(80),
      refs: fc.integer({ min: 20, max: 110 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      picks: fc.array(nat(30), { minLength: 1, maxLength: 6 }),
      fault,
      attempts: fc.constantFrom(1, 1, 2, 3, 8),
      queue: fc.constantFrom('clicks', 'clicks', 'clicks-dead'),
      how: fc.constantFrom('once', 'again', 'inOneBatch', 'atTheSameTime', 'oneByOneAtTheSameTime'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('direct' as const),
      pick: nat(30),
      fault,
      sentToo: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      hours: fc.constantFrom(1, 5, 30, 70),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('job' as const), job: nat(2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let [serial, steps] = [0, 0];
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => {
  vi.useRealTimers();
  console.log(`${steps} steps, ${JSON.stringify(CASES)}`);
});

/** Plays one history on an empty database. Returns the first difference from the model, or ''. */
async function play(history: readonly Step[], sharded: ShardedEnv): Promise<string> {
  for (const database of databasesOf(sharded)) await deleteClicks(database);
  await env.DB.prepare('DELETE FROM links').run();
  const model = clickModel();
  const facts = new Map<string, Fact[]>();
  const links: Link[] = [];
  const made: ClickWindow[] = [];
  let pending: ClickWindow[] = [];
  let now = START;

  const pickLink = (i: number) =>
    links[i % Math.max(links.length, 1)] ?? { id: 0, code: '', shard: 0 };
  const shardOf = ({ link }: Fact) => links.find(({ id }) => id === link)?.shard ?? 0;
  /** Each database counts its part of a window on its own. */
  const partKey = (id: string, shard: number) => `${id} ${shard}`;
  const partsOf = (window: ClickWindow) =>
    [...new Set((facts.get(window.id) ?? []).map(shardOf))].map((shard) =>
      partKey(window.id, shard),
    );
  const isCounted = (window: ClickWindow) =>
    partsOf(window).every((part) => model.isCommitted(part));
  const open = (window: ClickWindow, known: Fact[]): void => {
    facts.set(window.id, known);
    made.push(window);
    pending.push(window);
  };

  /**
   * The databases with a fault; tells the model which windows were committed, which the consumer
   * may never learn.
   */
  function withFault(kind: string): ShardedEnv {
    let calls = 0;
    return mapShards(sharded, (real, shard) => {
      const ids = new WeakMap<D1PreparedStatement, string[]>();
      return withMethods(real, {
        prepare: (sql: string) => {
          // A window that is set aside loses its visitors. Other tests cover that.
          if (kind !== 'none' && sql.startsWith('insert into "set_aside_windows"'))
            throw new Error('D1_ERROR: overloaded');
          const statement = real.prepare(sql);
          return withMethods(statement, {
            bind: (...values: unknown[]) => {
              const bound = statement.bind(...values);
              return (ids.set(bound, windowIdsIn(sql, values)), bound);
            },
          });
        },
        batch: async (statements: D1PreparedStatement[]) => {
          calls += 1;
          if (kind === 'before' || (kind === 'flaky' && calls % 3 === 1))
            throw new Error('D1_ERROR: overloaded');
          const results = await real.batch(statements);
          const written = statements.flatMap((statement) => ids.get(statement) ?? []);
          model.commit(
            written.map((id) => ({
              key: partKey(id, shard),
              facts: (facts.get(id) ?? []).filter((fact) => shardOf(fact) === shard),
            })),
            now,
          );
          if (kind === 'after') throw new Error('Network connection lost.');
          return results;
        },
      });
    });
  }

  async function deliver(
    windows: ClickWindow[],
    one: { fault: string; attempts: number; queue: string; how: string },
  ): Promise<void> {
    const bodies = one.how === 'inOneBatch' ? [...windows, ...windows] : windows;
    const faulty = withFault(one.fault);
    const send = async (some = bodies) => {
      const messages = some.map((body) => ({
        id: String(bodies.indexOf(body)),
        timestamp: new Date(now),
        attempts: one.attempts,
        body,
      }));
      const batch = createMessageBatch<ClickWindow>(one.queue, messages);
      await consumeBatch(batch, faulty, now);
      return getQueueResult(batch, createExecutionContext());
    };
    // Folds of different windows race on the same links, and folds of the same windows race on
    // those.
    const sends =
      one.how === 'oneByOneAtTheSameTime'
        ? windows.map((window) => send([window]))
        : Array.from({ length: one.how === 'atTheSameTime' ? 3 : 1 }, () => send());
    const results = await Promise.all(sends);
    if (one.fault === 'dies' || one.how === 'again') return;
    const done = new Set(
      results.flatMap(({ explicitAcks }) => explicitAcks.map((id) => bodies[Number(id)])),
    );
    pending = pending.filter((window) => !done.has(window));
  }

  async function visit(link: Link, who: number, visitor: number, times: number): Promise<void> {
    const sent: ClickWindow[] = [];
    const CLICKS = withMethods(env.CLICKS, {
      send: (window: ClickWindow) => (sent.push(structuredClone(window)), Promise.resolve()),
    });
    const headers: Record<string, string> = {
      'User-Agent': AUDIENCE[who]?.ua ?? '',
      'CF-Connecting-IP': `203.0.113.${visitor}`,
    };
    if (AUDIENCE[who]?.kind === 'prefetch') headers['Sec-Purpose'] = 'prefetch';
    if (visitor === 0) headers['DNT'] = '1';
    const visits = Array.from({ length: times }, () =>
      call(
        `/${link.code}`,
        { headers, cf: { country: 'IN', region: 'KA', city: 'Home' } },
        { CLICKS, CLICK_WINDOW_MS: '5' },
      ),
    );
    for (const response of await Promise.all(visits))
      if (response.status !== 302) throw new Error(`a visit got ${response.status}`);
    const fact = {
      link: link.id,
      t: now,
      who,
      visitor: visitor === 0 ? '' : `${who} at ${visitor}`,
      ref: '',
      city: 'Home',
    };
    for (const window of sent)
      open(
        window,
        window.e.map(() => fact),
      );
    if (sent.reduce((sum, window) => sum + window.e.length, 0) !== times)
      throw new Error('a click was not sent');
  }

  async function runStep(one: Step): Promise<void> {
    vi.setSystemTime(now);
    if (one.do === 'shorten') links.push(await shorten(sharded));
    else if (one.do === 'pass') {
      now += one.hours * HOUR_MS;
      // A queue drops a message long before the database deletes its window's id.
      pending = pending.filter(
        (window) => !isCounted(window) || now - (window.e[0]?.t ?? 0) < 13 * DAY_MS,
      );
    } else if (one.do === 'job') {
      await [closeMonths, pruneRecentClicks, deleteExpiredData][one.job]?.(sharded, now);
    } else if (links.length > 0 && one.do === 'visit')
      await visit(pickLink(one.link), one.who, one.visitor, one.times);
    else if (links.length > 0 && one.do === 'click') {
      const known = one.clicks.map((c): Fact => ({
        link: pickLink(c.link).id,
        t: now - c.back * 60_000,
        who: c.who,
        visitor: c.visitor === 0 ? '' : `v${c.who}.${c.visitor}`,
        ref: c.ref === 0 ? '' : `r${c.ref}.example`,
        city: `City ${c.city}`,
        isScan: c.visitor % 2 === 1,
        ...(c.ref % 3 === 1 && { utm: `s${c.ref}||` }),
        // A visitor of a link gets the same destination all day.
        ...(pickLink(c.link).id % 2 === 1 && { destination: `d${c.visitor % 3}` }),
      }));
      open(makeWindow(known.map(toEvent), `w${++serial}`), known);
    } else if (links.length > 0 && one.do === 'flood') {
      const known = Array.from({ length: one.refs }, (_, i): Fact => {
        return {
          link: pickLink(one.link).id,
          t: now,
          who: i % 2,
          visitor: '',
          ref: `r${one.from + i}.example`,
          city: `City ${one.from + i}`,
        };
      });
      open(makeWindow(known.map(toEvent), `w${++serial}`), known);
    } else if (pending.length > 0 && one.do === 'deliver') {
      const windows = new Set(one.picks.flatMap((pick) => pending[pick % pending.length] ?? []));
      await deliver([...windows], one);
    } else if (one.do === 'direct') {
      const window = pending[one.pick % Math.max(pending.length, 1)];
      if (window === undefined) return;
      const written = await foldByShard(openShards(withFault(one.fault)), [window], now).then(
        () => true,
        () => false,
      );
      if (written && !one.sentToo) pending = pending.filter((other) => other !== window);
    }
  }

  const check = async (): Promise<string> =>
    difference(model.state(), await storedState(databasesOf(sharded)));
  for (const [i, one] of history.entries()) {
    steps += 1;
    await runStep(one);
    const wrong = i % 8 === 0 ? await check() : '';
    if (wrong !== '') return `after step ${i}: ${wrong}`;
  }
  // Finally every message is delivered, and every click must have been counted.
  while (pending.length > 0)
    await deliver(pending.slice(0, 20), {
      fault: 'none',
      attempts: 1,
      queue: 'clicks',
      how: 'once',
    });
  const missing = made.find((window) => !isCounted(window));
  if (missing !== undefined) return `${missing.id} was never counted`;
  for (const job of [closeMonths, pruneRecentClicks, verifyTotals])
    await job(sharded, now + DAY_MS);
  const result = await readLastVerification(openShards(sharded));
  return result?.ok === true ? check() : `not verified: ${JSON.stringify(result)}`;
}

type Link = { id: number; code: string; shard: number };

/** Creates a link through the API, as a visitor with an address of their own. */
async function shorten(sharded: ShardedEnv): Promise<Link> {
  const address = `2001:db8:${(++serial >> 8).toString(16)}:${(serial & 255).toString(16)}::1`;
  const json = { longUrl: `https://example.com/${serial}` };
  const response = await call(
    '/api/shorten',
    { json, headers: { 'CF-Connecting-IP': address } },
    sharded,
  );
  const { code }: { code: string } = await response.json();
  const link = await env.DB.prepare('SELECT id, code, shard FROM links WHERE code = ?1')
    .bind(code)
    .first<Link>();
  if (link === null) throw new Error(`shorten got ${response.status}`);
  return link;
}

describe('random histories', () => {
  it.each(CASES)(
    'random histories count each click once ($shards databases, seed $seed)',
    async ({ seed, shards }) => {
      const sharded = await withShards(shards);
      vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const histories = fc.array(step, { minLength: 60, maxLength: 120, size: 'max' });
      const property = fc.asyncProperty(histories, async (history) => {
        const wrong = await play([{ do: 'shorten' }, ...history], sharded);
        expect(wrong).toBe('');
      });
      const replayed = env.CLICK_PATH === '' ? {} : { path: env.CLICK_PATH };
      await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true, ...replayed });
      vi.restoreAllMocks();
    },
    300_000,
  );
});
