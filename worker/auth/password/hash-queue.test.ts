import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiEnv } from '#worker/http/context.ts';
import { onError } from '#worker/http/errors.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import { AuthError, toApiError } from '#worker/auth/service/errors.ts';
import { hasRoomInQueue, queueHash } from './hash-queue.ts';

/** Settles to the value or the error of a promise, so that every test leaves an empty queue. */
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const hold = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Each test begins an hour later, so that no pause of the previous test remains. */
let start = Date.now();

describe('the hash queue', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['Date', 'setTimeout', 'clearTimeout'],
        now: (start += 3_600_000),
      }),
  );
  afterEach(() => void vi.useRealTimers());

  it('hashes run one at a time, in order, with a pause between them', async () => {
    const log: string[] = [];
    const times: number[] = [];
    const hash = (n: number) =>
      queueHash(30, async () => {
        times.push(Date.now());
        log.push(`${n} begins`);
        await hold(5);
        log.push(`${n} ends`);
      });
    const all = Promise.all([1, 2, 3].map((n) => hash(n)));
    await advance(1_000);
    await all;
    expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
    // The pause lasts twice as long as the hash.
    for (const i of [1, 2])
      expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(60);
  });

  it('a hash after a quiet period is not delayed', async () => {
    const hashed: number[] = [];
    const hash = (n: number) => queueHash(100, async () => void hashed.push(n));
    await hash(1);
    await advance(700);
    const paused = hash(2);
    expect(hashed).toEqual([1]);
    await advance(200);
    await paused;
    await advance(701);
    // This hash runs at once, because no timer fires meanwhile.
    await hash(3);
    expect(hashed).toEqual([1, 2, 3]);
  });

  it('queues eight hashes behind the running one and rejects the next', async () => {
    const fail = async () => {
      await hold(1);
      throw new Error('a hash failed');
    };
    const taken = Array.from({ length: 9 }, () => outcome(queueHash(1, fail)));
    expect(await queueHash(1, async () => 'never')).toBeNull();
    expect(hasRoomInQueue()).toBe(false);
    await advance(1_000);
    for (const error of await Promise.all(taken))
      expect(error).toMatchObject({ message: 'a hash failed' });
    expect(hasRoomInQueue()).toBe(true);
    expect(await queueHash(1, async () => 'hashed')).toBe('hashed');
  });

  it('drops a cancelled request after two seconds', async () => {
    // A cancelled request's promises never settle and its `finally` never runs. A hash that never
    // ends behaves the same.
    void queueHash(1, () => new Promise<never>(() => undefined));
    const hashed: number[] = [];
    const waiting = [1, 2].map((n) => queueHash(1, async () => void hashed.push(n)));
    await advance(2_000);
    expect(hashed).toEqual([]);
    await advance(100);
    await Promise.all(waiting);
    expect(hashed).toEqual([1, 2]);
  });

  it('takes three times as many hashes where no redirects need the thread', async () => {
    const times: number[] = [];
    const hash = () =>
      queueHash(
        100,
        async () => {
          times.push(Date.now());
          await hold(100);
          return 'hashed';
        },
        { pauses: false },
      );
    const taken = Array.from({ length: 25 }, hash);
    expect(await hash()).toBeNull();
    await advance(4_000);
    expect(await Promise.all(taken)).toEqual(Array.from({ length: 25 }, () => 'hashed'));
    const [first = 0, last = 0] = [times.at(0), times.at(-1)];
    expect(last - first).toBeLessThan(24 * 130);
    // Results are sent in between.
    for (const i of [1, 2]) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThan(100);
  });

  it('rejects a hash that has waited for eight seconds', async () => {
    const sentAt = Date.now();
    const answers = Array.from({ length: 9 }, async () => {
      const result = await queueHash(1, async () => {
        await hold(1_500);
        return 'hashed';
      });
      return { result, after: Date.now() - sentAt };
    });
    await advance(20_000);
    const rejected = (await Promise.all(answers)).filter(({ result }) => result === null);
    expect(rejected.length).toBeGreaterThanOrEqual(3);
    for (const { after } of rejected) expect(after).toBeLessThan(8_500);
  });

  it('a request that was dropped while the thread was blocked waits again', async () => {
    const running = queueHash(1, () => hold(10));
    const waiting = queueHash(1, async () => 'hashed');
    vi.setSystemTime(Date.now() + 3_000);
    expect(hasRoomInQueue(0)).toBe(true);
    await advance(100);
    await running;
    expect(await waiting).toBe('hashed');
  });

  it('answers with the API’s own 429 outside the sign-in service', async () => {
    const app = new Hono<ApiEnv>();
    app.onError((error, c) => onError(toApiError(error), c));
    app.get('/', () => {
      throw new AuthError('busy');
    });
    const answer = await app.request('/');
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(await answer.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
  });
});

describe('a full hash queue', () => {
  it('an attempt that the queue rejects is not a wrong password', async () => {
    const signIn = () =>
      call(
        '/api/auth/v1/token?grant_type=password',
        {
          json: { email: 'refused@example.com', password: 'wrong horse' },
          headers: { 'CF-Connecting-IP': '198.51.100.40' },
        },
        EMBEDDED,
      );
    const counted = async () => {
      const { results } = await env.DB.prepare('SELECT count FROM counters').all<{
        count: number;
      }>();
      return results.map(({ count }) => count);
    };
    // Requests that wait for two seconds leave the queue.
    stopClock();
    // The first request loads the code and creates the counters.
    expect((await signIn()).status).toBe(400);
    const before = await counted();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = Array.from({ length: 9 }, () => queueHash(1, () => released));
    const answers = await Promise.all([signIn(), signIn(), signIn()]);
    release();
    await Promise.all(held);
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await counted()).toEqual(before);
  });
});
