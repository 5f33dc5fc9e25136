import { beforeEach, describe, expect, it } from 'vitest';
import { takeWindow } from './counters.ts';
import { createMeasure } from './measure-response.ts';

const SENDS = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example' };
const answer = async (status: number) => new Response(null, { status });

/** Measures responses with windows of `windowMs`, and counts waiting requests and deliveries. */
function measureWith(windowMs: number) {
  const waiting: Promise<unknown>[] = [];
  const delivered: number[] = [];
  const ctx = { waitUntil: (work: Promise<unknown>) => void waiting.push(work) };
  const measure = createMeasure<typeof SENDS | object>(async () => {
    delivered.push(takeWindow().reduce((sum, { count }) => sum + count, 0));
  }, windowMs);
  return {
    waiting,
    delivered,
    respond: (env: typeof SENDS | object, status: number) =>
      measure('/api', answer(status), { env, ctx, now: Date.now() }),
  };
}

beforeEach(() => {
  takeWindow();
});

describe('measure', () => {
  it('passes the response on and counts it', async () => {
    const { respond } = measureWith(1_000);
    expect((await respond({}, 404)).status).toBe(404);
    expect(takeWindow()).toMatchObject([{ values: ['/api', '404'], count: 1 }]);
  });

  it('passes an error on and counts it as a 500', async () => {
    const measure = createMeasure(async () => undefined, 1_000);
    const ctx = { waitUntil: () => undefined };
    const failing = measure('/{code}', Promise.reject(new Error('no')), { env: {}, ctx, now: 0 });
    await expect(failing).rejects.toThrow('no');
    expect(takeWindow()).toMatchObject([{ values: ['/{code}', '500'], count: 1 }]);
  });

  it('one request at a time waits, and delivers what all have counted', async () => {
    const { respond, waiting, delivered } = measureWith(10);
    for (let i = 0; i < 3; i++) await respond(SENDS, 200);
    expect(waiting.length).toBe(1);
    expect(delivered).toEqual([]);
    await Promise.all(waiting);
    expect(delivered).toEqual([3]);
    await respond(SENDS, 200);
    await Promise.all(waiting);
    expect([waiting.length, delivered]).toEqual([2, [3, 1]]);
  });

  it('nobody waits without a receiver, and only failures are delivered', async () => {
    const { respond, waiting, delivered } = measureWith(10);
    await respond({}, 200);
    await respond({}, 500);
    expect(waiting).toEqual([]);
    await scheduler.wait(15);
    await respond({}, 200);
    await Promise.all(waiting);
    expect(delivered).toEqual([3]);
    await scheduler.wait(15);
    await respond({}, 200);
    expect(waiting.length).toBe(1);
  });
});
