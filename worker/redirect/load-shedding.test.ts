import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import worker from '#worker/index.ts';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { aroundD1, aroundQueue, throwsBefore } from '#worker/testing/faults.ts';
import { makePerson, type Person } from '#worker/testing/make.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import type { ClickWindow } from './click-event.ts';
import { createClickBuffer } from './click-window.ts';
import { deliverWindow } from './deliver-window.ts';
import { limitFolds, type Fold } from './limit-folds.ts';

const LINK = 7_001;
/** How long a busy machine may take. */
const PATIENCE = { timeout: 60_000 };
let person: Person;
beforeAll(async () => {
  person = await makePerson({ plan: 'premium' });
  await makeLinks([LINK]);
  await publishLinks(env, [LINK], Date.now());
});

const countedClicks = async (link: number) =>
  (await env.DB.prepare('SELECT human + bot + prefetch AS n FROM link_totals WHERE link_id = ?')
    .bind(link)
    .first<number>('n')) ?? 0;

/** A fold that ends when `end` is called, and notes how many ran at once. */
function makeSlowFold() {
  const seen = { running: 0, most: 0, begun: 0 };
  const waiting: (() => void)[] = [];
  const fold: Fold = async (given, window, now) => {
    seen.begun++;
    seen.most = Math.max(seen.most, ++seen.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    await foldWindows(given.DB, [window], now);
    seen.running--;
  };
  return { seen, fold, end: () => waiting.shift()?.() };
}

const windowOf = (clicks: number): ClickWindow => ({
  v: 1,
  id: crypto.randomUUID(),
  e: Array.from({ length: clicks }, () => ({
    l: LINK,
    t: Date.now(),
    ua: 'A',
    r: '',
    c: '',
    g: '',
    y: '',
    k: '',
  })),
});

describe('limitFolds', () => {
  it('[A18] runs two folds at once, the others one after another', async () => {
    const { seen, fold, end } = makeSlowFold();
    const limited = limitFolds(fold, { concurrent: 2, maxWaitMs: 60_000, pollMs: 1 });
    const before = await countedClicks(LINK);
    const all = Promise.all(Array.from({ length: 6 }, () => limited(env, windowOf(3), Date.now())));
    for (let n = 2; n <= 6; n++) {
      await vi.waitFor(() => expect(seen.begun).toBe(n), PATIENCE);
      await scheduler.wait(20);
      expect(seen.begun).toBe(n);
      end();
    }
    end();
    await all;
    expect(seen.most).toBe(2);
    expect(await countedClicks(LINK)).toBe(before + 18);
  });

  it('rejects what has waited too long, without folding it', async () => {
    const { seen, fold, end } = makeSlowFold();
    const limited = limitFolds(fold, { concurrent: 1, maxWaitMs: 20, pollMs: 1 });
    const first = limited(env, windowOf(1), Date.now());
    await expect(limited(env, windowOf(1), Date.now())).rejects.toThrow('too many direct folds');
    expect(seen.begun).toBe(1);
    end();
    await first;
  });

  it('takes the turn of a fold whose request was cancelled', async () => {
    let calls = 0;
    const limited = limitFolds(
      () => (calls++ === 0 ? new Promise(() => undefined) : Promise.resolve()),
      {
        concurrent: 1,
        maxWaitMs: 50,
        pollMs: 1,
      },
    );
    void limited(env, windowOf(1), Date.now());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 });
    try {
      await limited(env, windowOf(1), Date.now());
      expect(calls).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a late fold that ends keeps the turn of another fold', async () => {
    const ends: (() => void)[] = [];
    const limited = limitFolds(() => new Promise<void>((end) => ends.push(end)), {
      concurrent: 1,
      maxWaitMs: 20,
      pollMs: 1,
    });
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      const late = limited(env, windowOf(1), start);
      vi.setSystemTime(start + 30_001);
      const second = limited(env, windowOf(1), start);
      ends[0]?.();
      await late;
      const third = limited(env, windowOf(1), start).catch(String);
      vi.setSystemTime(start + 30_100);
      expect(await third).toBe('Error: too many direct folds');
      ends[1]?.();
      await second;
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes on the error of a fold and gives its turn back', async () => {
    const limited = limitFolds(() => Promise.reject(new Error('D1 down')), {
      concurrent: 1,
      maxWaitMs: 20,
      pollMs: 1,
    });
    for (let i = 0; i < 3; i++)
      await expect(limited(env, windowOf(1), Date.now())).rejects.toThrow('D1 down');
  });
});

describe('a queue that rejects every message', () => {
  const CLICKS = aroundQueue(env.CLICKS, throwsBefore('Queue send failed: 429'));

  it('[A18] loses no click that is not reported, while D1 takes one fold at a time', async () => {
    const logged: Record<string, string | number>[] = [];
    const slowFold: Fold = async (given, window, now) => {
      await foldWindows(given.DB, [window], now);
      await scheduler.wait(100);
    };
    const deps = {
      fold: limitFolds(slowFold, { concurrent: 2, maxWaitMs: 250, pollMs: 5 }),
      log: (_: string, facts: Record<string, string | number>) => void logged.push(facts),
      recordLoss: (_: Env, clicks: number) => Promise.resolve(void (recorded += clicks)),
    };
    let recorded = 0;
    const limits = { sendMs: 100, attempts: 1, pauseMs: 1, foldMs: 60_000 };
    const before = await countedClicks(LINK);
    let sent = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const buffer = createClickBuffer();
        const clicks = windowOf(1 + n).e;
        // The first click is delivered at once, without waiting.
        for (const event of [...clicks.slice(0, 1), ...clicks])
          buffer.add({ event, address: '' }, 1);
        sent += clicks.length;
        await deliverWindow({ waitMs: 1 }, buffer, { ...env, CLICKS }, deps, limits);
      }),
    );
    const counted = (await countedClicks(LINK)) - before;
    const lost = logged.reduce((sum, facts) => sum + Number(facts['clicks']), 0);
    expect(lost).toBeGreaterThan(0);
    expect(recorded).toBe(lost);
    expect(counted).toBeGreaterThan(0);
    expect(counted + lost).toBe(sent);
    expect(new Set(logged.map((facts) => facts['error']))).toEqual(
      new Set(['Error: too many direct folds']),
    );
  });

  it('[A18] a rejecting queue leaves D1 to the API: two folds run, and reads are answered', async () => {
    // No fold waits too long for its turn.
    stopClock();
    let folds = 0;
    let most = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    // The fold is the only batch of these requests.
    const DB = aroundD1(env.DB, async (name, run) => {
      if (name !== 'd1.batch') return run();
      most = Math.max(most, ++folds);
      await released;
      return run().finally(() => folds--);
    });
    const before = await countedClicks(LINK);
    const contexts = [];
    for (let n = 0; n < 12; n++) {
      const ctx = createExecutionContext();
      contexts.push(ctx);
      const request = new Request(`${ORIGIN}/link${LINK}`, { redirect: 'manual' });
      expect(
        (await worker.fetch(request, { ...env, CLICK_WINDOW_MS: '0', CLICKS, DB }, ctx)).status,
      ).toBe(302);
      await scheduler.wait(2);
    }
    await vi.waitFor(() => expect(folds).toBe(2), PATIENCE);
    const read = await call('/api/my-urls', { headers: person.headers });
    expect(read.status).toBe(200);
    release();
    for (const ctx of contexts) await waitOnExecutionContext(ctx);
    expect(most).toBe(2);
    expect(await countedClicks(LINK)).toBe(before + 12);
  });
});
