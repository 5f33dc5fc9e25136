import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { createMessageBatch, createExecutionContext, env, getQueueResult } from 'cloudflare:test';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { deleteExpiredClickData } from './delete-expired-click-data.ts';
import { closeMonths } from './close-months.ts';
import { verifyTotals, readLastVerification } from './verify-totals.ts';
import { pruneRecentClicks } from './prune-recent-clicks.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import { call } from '#worker/testing/call.ts';
import { AUDIENCE, clickModel, difference, storedState, type Fact } from '#worker/testing/click-model.ts';
import { deleteClicks, makeWindow } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/testing/faults.ts';
import { consumeBatch } from './consume-batch.ts';
import { foldWindows } from './fold-windows.ts';
import { windowKey } from './read-stored.ts';

/**
 * Compares the database with a plain model after random histories. Links are created and clicked; their windows are
 * delivered once or several times, out of order, together with a direct write, and with failures before and after each
 * commit. Replay a failure with the printed CLICK_SEED=…, and a single history with CLICK_PATH=…. Run more with CLICK_RUNS=….
 */
const SEEDS = env.CLICK_SEED === '' ? [20_261, 7, 42] : [Number(env.CLICK_SEED)];
const RUNS = Number(env.CLICK_RUNS || 5);
/** In the future: KV rejects a key that has already expired. */
const START = Date.UTC(2030, 0, 7, 9);

const nat = (max: number) => fc.nat({ max });
/** before: D1 fails. after: D1 commits and its response is lost. flaky: every third batch fails. dies: acknowledgements are lost. */
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
    arbitrary: fc.record({ do: fc.constant('click' as const), clicks: fc.array(click, { minLength: 1, maxLength: 25 }) }),
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
      how: fc.constantFrom('once', 'again', 'inOneBatch', 'atTheSameTime'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('direct' as const), pick: nat(30), fault, sentToo: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(1, 5, 30, 70) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('job' as const), job: nat(2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let serial = 0;
let steps = 0;
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => {
  vi.useRealTimers();
  console.log(`${steps} steps, seeds ${SEEDS.join(', ')}`);
});

/** Plays one history on an empty database. Returns the first difference from the model, or ''. */
async function play(history: readonly Step[]): Promise<string> {
  await deleteClicks();
  await env.DB.prepare('DELETE FROM links').run();
  const model = clickModel();
  const facts = new Map<string, Fact[]>();
  const links: { id: number; code: string }[] = [];
  let pending: ClickWindow[] = [];
  let now = START;

  const pickLink = (i: number) => links[i % Math.max(links.length, 1)] ?? { id: 0, code: '' };
  const open = (window: ClickWindow, known: Fact[]): void => {
    facts.set(windowKey(window), known);
    pending.push(window);
  };

  /** The database with a fault; tells the model which windows were committed, which the consumer may never learn. */
  function database(kind: string): D1Database {
    const keys = new WeakMap<D1PreparedStatement, string[]>();
    let calls = 0;
    return withMethods(env.DB, {
      prepare: (sql: string) => {
        const statement = env.DB.prepare(sql);
        return withMethods(statement, {
          bind: (...values: unknown[]) => {
            const bound = statement.bind(...values);
            const [, day] = /^insert into click_windows_(\d+)/.exec(sql) ?? [];
            if (day !== undefined)
              keys.set(
                bound,
                [...JSON.parse(String(values[0]))].map((id) => `${day}.${id}`),
              );
            return bound;
          },
        });
      },
      batch: async (statements: D1PreparedStatement[]) => {
        calls += 1;
        if (kind === 'before' || (kind === 'flaky' && calls % 3 === 1)) throw new Error('D1_ERROR: overloaded');
        const results = await env.DB.batch(statements);
        const written = statements.flatMap((statement) => keys.get(statement) ?? []);
        model.commit(
          written.map((key) => ({ key, facts: facts.get(key) ?? [] })),
          now,
        );
        if (kind === 'after') throw new Error('Network connection lost.');
        return results;
      },
    });
  }

  async function deliver(
    windows: ClickWindow[],
    one: { fault: string; attempts: number; queue: string; how: string },
  ): Promise<void> {
    const bodies = one.how === 'inOneBatch' ? [...windows, ...windows] : windows;
    const send = async () => {
      const messages = bodies.map((body, i) => ({ id: String(i), timestamp: new Date(now), attempts: one.attempts, body }));
      const batch = createMessageBatch<ClickWindow>(one.queue, messages);
      await consumeBatch(batch, { DB: database(one.fault) }, now);
      return getQueueResult(batch, createExecutionContext());
    };
    const [result] = await Promise.all(one.how === 'atTheSameTime' ? [send(), send(), send()] : [send()]);
    if (one.fault === 'dies' || one.how === 'again') return;
    const done = new Set(result?.explicitAcks.map((id) => bodies[Number(id)]));
    pending = pending.filter((window) => !done.has(window));
  }

  async function visit(link: { id: number; code: string }, who: number, visitor: number, times: number): Promise<void> {
    const sent: ClickWindow[] = [];
    const CLICKS = withMethods(env.CLICKS, {
      send: (window: ClickWindow) => (sent.push(structuredClone(window)), Promise.resolve()),
    });
    const headers: Record<string, string> = { 'User-Agent': AUDIENCE[who]?.ua ?? '', 'CF-Connecting-IP': `203.0.113.${visitor}` };
    if (AUDIENCE[who]?.kind === 'prefetch') headers['Sec-Purpose'] = 'prefetch';
    if (visitor === 0) headers['DNT'] = '1';
    const visits = Array.from({ length: times }, () =>
      call(`/${link.code}`, { headers, cf: { country: 'IN', region: 'KA', city: 'Home' } }, { CLICKS, CLICK_WINDOW_MS: '5' }),
    );
    for (const response of await Promise.all(visits))
      if (response.status !== 302) throw new Error(`a visit got ${response.status}`);
    const fact = { link: link.id, t: now, who, visitor: visitor === 0 ? '' : `${who} at ${visitor}`, ref: '', city: 'Home' };
    for (const window of sent)
      open(
        window,
        window.e.map(() => fact),
      );
    if (sent.reduce((sum, window) => sum + window.e.length, 0) !== times) throw new Error('a click was not sent');
  }

  async function runStep(one: Step): Promise<void> {
    vi.setSystemTime(now);
    if (one.do === 'shorten') links.push(await shorten());
    else if (one.do === 'pass') {
      now += one.hours * HOUR_MS;
      // A queue drops a message long before the database deletes its window's id.
      pending = pending.filter((window) => !model.isCommitted(windowKey(window)) || now - (window.e[0]?.t ?? 0) < 13 * DAY_MS);
    } else if (one.do === 'job') {
      await [closeMonths, pruneRecentClicks, deleteExpiredClickData][one.job]?.(env, now);
    } else if (links.length > 0 && one.do === 'visit') await visit(pickLink(one.link), one.who, one.visitor, one.times);
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
      const written = await foldWindows(database(one.fault), [window], now).then(
        () => true,
        () => false,
      );
      if (written && !one.sentToo) pending = pending.filter((other) => other !== window);
    }
  }

  const check = async (): Promise<string> => difference(model.state(), await storedState(env.DB));
  for (const [i, one] of history.entries()) {
    steps += 1;
    await runStep(one);
    const wrong = i % 8 === 0 ? await check() : '';
    if (wrong !== '') return `after step ${i}: ${wrong}`;
  }
  // Finally every message is delivered, and every click must have been counted.
  while (pending.length > 0) await deliver(pending.slice(0, 20), { fault: 'none', attempts: 1, queue: 'clicks', how: 'once' });
  const missing = [...facts.keys()].find((key) => !model.isCommitted(key));
  if (missing !== undefined) return `${missing} was never counted`;
  for (const job of [closeMonths, pruneRecentClicks, verifyTotals]) await job(env, now + DAY_MS);
  const result = await readLastVerification(openDb(env.DB));
  return result?.ok === true ? check() : `not verified: ${JSON.stringify(result)}`;
}

/** Creates a link through the API, as a visitor with an address of their own. */
async function shorten(): Promise<{ id: number; code: string }> {
  const address = `2001:db8:${(++serial >> 8).toString(16)}:${(serial & 255).toString(16)}::1`;
  const response = await call('/api/shorten', {
    json: { longUrl: `https://example.com/${serial}` },
    headers: { 'CF-Connecting-IP': address },
  });
  const { code }: { code: string } = await response.json();
  const id = await env.DB.prepare('SELECT id FROM links WHERE code = ?1').bind(code).first<number>('id');
  if (id === null) throw new Error(`shorten got ${response.status}`);
  return { id, code };
}

function toEvent(fact: Fact): ClickEvent {
  const who = AUDIENCE[fact.who];
  const event: ClickEvent = {
    l: fact.link,
    t: fact.t,
    ua: who?.ua ?? '',
    r: fact.ref,
    c: 'IN',
    g: 'KA',
    y: fact.city,
    k: fact.visitor,
  };
  if (who?.kind === 'prefetch') event.p = 1;
  if (fact.isScan === true) event.q = 1;
  if (fact.utm !== undefined) event.u = fact.utm;
  return event;
}

describe('random histories', () => {
  it.each(SEEDS)(
    'count every click exactly once (seed %i)',
    async (seed) => {
      vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const histories = fc.array(step, { minLength: 60, maxLength: 120, size: 'max' });
      const property = fc.asyncProperty(histories, async (history) => {
        const wrong = await play([{ do: 'shorten' }, ...history]);
        expect(wrong).toBe('');
      });
      const replayed = env.CLICK_PATH === '' ? {} : { path: env.CLICK_PATH };
      await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true, ...replayed });
      vi.restoreAllMocks();
    },
    300_000,
  );
});
