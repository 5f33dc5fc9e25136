import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '#worker/http/context.ts';
import { onError } from '#worker/http/errors.ts';
import { call } from '#worker/testing/call.ts';
import { EMBEDDED } from '#worker/testing/sign-in.ts';
import { AuthError, toApiError } from '#worker/auth/errors.ts';
import { queueHash, requireRoomInQueue } from './hash-queue.ts';

/** The value or the error of a promise. Every test leaves an empty queue behind. */
const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
describe('the hash queue', () => {
  it('runs hashes one at a time, in order, with a pause between them', async () => {
    const log: string[] = [];
    const times: number[] = [];
    const hash = (n: number) =>
      queueHash(30, async () => {
        times.push(Date.now());
        log.push(`${n} begins`);
        await scheduler.wait(5);
        log.push(`${n} ends`);
      });
    await Promise.all([1, 2, 3].map((n) => hash(n)));
    expect(log).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
    // The pause lasts twice as long as the hash.
    for (const i of [1, 2]) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(60);
  });

  it('does not delay a hash after a quiet period', async () => {
    await queueHash(100, async () => undefined);
    await scheduler.wait(750);
    const start = Date.now();
    await queueHash(100, async () => undefined);
    // A pause would take 200 ms.
    expect(Date.now() - start).toBeLessThan(150);
  });

  it('queues eight hashes behind the running one and answers 429 to the next', async () => {
    const taken = Array.from({ length: 9 }, () => outcome(queueHash(1, () => Promise.reject(new Error('a hash failed')))));
    const refused = await outcome(queueHash(1, async () => 'never'));
    expect(refused).toBeInstanceOf(AuthError);
    expect(refused).toMatchObject({ status: 429, code: 'over_request_rate_limit', extra: { retryAfter: 5 } });
    expect(requireRoomInQueue).toThrow(AuthError);
    for (const error of await Promise.all(taken)) expect(error).toMatchObject({ message: 'a hash failed' });
    expect(requireRoomInQueue).not.toThrow();
    expect(await queueHash(1, async () => 'hashed')).toBe('hashed');
  });

  it('drops a cancelled request after two seconds', async () => {
    // The promises of a cancelled request never settle and its `finally` never runs. A hash that never ends behaves the same.
    void queueHash(1, () => new Promise<never>(() => undefined));
    const began = Date.now();
    const waiting = [1, 2].map((n) => queueHash(1, async () => n));
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
    expect(Date.now() - began).toBeLessThan(4_000);
  });

  it('answers with the API’s own 429 outside the sign-in service', async () => {
    const held = Array.from({ length: 9 }, () => queueHash(1, () => scheduler.wait(1)));
    const app = new Hono<ApiEnv>();
    app.onError((error, c) => onError(toApiError(error), c));
    app.get('/', () => queueHash(1, async () => new Response()));
    const answer = await app.request('/');
    await Promise.all(held);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(await answer.json()).toMatchObject({ code: 'rate_limited', upgradeRequired: false });
  });

  it('an attempt that the queue rejects is not a wrong password', async () => {
    const signIn = () =>
      call(
        '/api/auth/v1/token?grant_type=password',
        { json: { email: 'refused@example.com', password: 'wrong horse' }, headers: { 'CF-Connecting-IP': '198.51.100.40' } },
        EMBEDDED,
      );
    const counted = async () => {
      const { results } = await env.DB.prepare('SELECT count FROM counters').all<{ count: number }>();
      return results.map(({ count }) => count);
    };
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
