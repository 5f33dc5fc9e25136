import { env } from 'cloudflare:test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import { takeWindow } from '#worker/metrics/counters.ts';
import type { ClickWindow } from './click-event.ts';
import { createClickBuffer, type WindowDelivery } from './click-window.ts';
import { deliverWindow, type DeliveryDeps, type DeliveryLimits } from './deliver-window.ts';

const LIMITS: DeliveryLimits = { sendMs: 30, attempts: 3, pauseMs: 5, foldMs: 2_000 };
const NOW = Date.now();
const never = new Promise<never>(() => undefined);

/** A buffer that has just had a click, so that the next one is not the first after a pause. */
function busyBuffer(): ReturnType<typeof createClickBuffer> {
  const buffer = createClickBuffer();
  const event = { l: 1, t: NOW - 1, ua: 'A', r: '', c: 'IN', g: '', y: '', k: '' };
  const first = buffer.add({ event, address: '' }, 1);
  if (first !== null && 'window' in first) buffer.release(first.window);
  return buffer;
}

type Send = (window: ClickWindow) => Promise<unknown>;

/**
 * Delivers a window of two clicks, the second without an address, through a queue whose `send` is
 * given.
 */
async function deliver(
  send: Send,
  fold?: DeliveryDeps['fold'],
  foldMs: number | null = LIMITS.foldMs,
  others: object = {},
) {
  const buffer = busyBuffer();
  const logged: [string, Record<string, string | number>][] = [];
  const folded: ClickWindow[] = [];
  const lost: number[] = [];
  const deps: DeliveryDeps = {
    fold: (given, window, now) => (
      folded.push(window),
      (fold ?? ((e, w, n) => foldWindows(e.DB, [w], n)))(given, window, now)
    ),
    log: (event, facts) => logged.push([event, facts]),
    recordLoss: (_, clicks) => Promise.resolve(void lost.push(clicks)),
  };
  const event = { l: 1, t: NOW, ua: 'A', r: '', c: 'IN', g: '', y: '', k: '' };
  const delivery = buffer.add({ event, address: '203.0.113.5' }, 1);
  if (delivery === null) throw new Error('no window was opened');
  buffer.add({ event: { ...event, t: NOW + 1 }, address: '' }, 1);
  const CLICKS = withMethods(env.CLICKS, { send });
  const limits = foldMs === null ? undefined : { ...LIMITS, foldMs };
  await deliverWindow(delivery, buffer, { ...env, CLICKS, ...others }, deps, limits);
  return { logged, folded, lost, pending: buffer.pendingBytes() };
}

const countedClicks = async () =>
  (
    await env.DB.prepare(
      'SELECT human + bot + prefetch AS n FROM link_totals WHERE link_id = 1',
    ).first<{ n: number }>()
  )?.n ?? 0;

describe('deliverWindow', () => {
  it('sends a window that one queue refuses to the next queue, and not to D1', async () => {
    const refused: string[] = [];
    const taken: string[] = [];
    const refuse: Send = ({ id }) => (
      refused.push(id),
      Promise.reject(new Error('Too Many Requests'))
    );
    const take: Send = ({ id }) => (taken.push(id), Promise.resolve());
    for (const [first, second] of [
      [refuse, take],
      [take, refuse],
    ] as const) {
      const CLICKS_QUEUE_2 = withMethods(env.CLICKS, { send: second });
      const others = { CLICKS_QUEUE_2, CLICK_QUEUES: '2' };
      const { folded, lost } = await deliver(first, undefined, LIMITS.foldMs, others);
      expect([folded, lost]).toEqual([[], [0]]);
    }
    // This isolate begins with one of them, whichever that is.
    expect([refused.length, taken.length]).toEqual([1, 2]);
  });

  it('[T33] sends the window once, with visitor ids and without addresses', async () => {
    const sent: ClickWindow[] = [];
    const { folded, logged, lost, pending } = await deliver(
      (message) => (sent.push(message), Promise.resolve()),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]?.e.map(({ k }) => k === '')).toEqual([false, true]);
    expect(JSON.stringify(sent)).not.toContain('203.0.113');
    expect([folded, logged, lost, pending]).toEqual([[], [], [0], 0]);
  });

  it('retries with the same id if the queue throws', async () => {
    const ids: string[] = [];
    const { folded } = await deliver(
      ({ id }) => (
        ids.push(id),
        ids.length < 3 ? Promise.reject(new Error('Too Many Requests')) : Promise.resolve()
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(3);
    expect(folded).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['rejects', () => Promise.reject(new Error('Queue is overloaded'))],
    ['hangs', () => never],
    [
      'throws',
      () => {
        throw new Error('broken binding');
      },
    ],
  ])('counts in D1 if the queue %s, and not again if the message got through', async (_, fail) => {
    await makeLinks([1]);
    const before = await countedClicks();
    /** What reached the queue although `send` failed. */
    const accepted: ClickWindow[] = [];
    const { folded, logged } = await deliver(
      (message) => (accepted.push(structuredClone(message)), fail()),
    );
    expect(folded).toHaveLength(1);
    expect(logged).toEqual([]);
    expect(await countedClicks()).toBe(before + 2);
    expect(accepted).toHaveLength(LIMITS.attempts);
    for (const message of accepted) await foldWindows(env.DB, [message], NOW);
    expect(await countedClicks()).toBe(before + 2);
  });

  it('[T40] logs the number of lost clicks if D1 fails as well', async () => {
    takeWindow();
    const { logged, lost, pending } = await deliver(
      () => Promise.reject(new Error('queue down')),
      () => Promise.reject(new Error('D1 down')),
    );
    expect(lost).toEqual([2]);
    expect(logged).toEqual([['click_lost', { clicks: 2, error: 'Error: D1 down' }]]);
    expect(takeWindow()).toEqual([expect.objectContaining({ name: 'hop.clicks.lost', sum: 2 })]);
    expect(pending).toBe(0);
  });

  it('by default tries three times, with longer and longer pauses', async () => {
    const waits: number[] = [];
    const wait = vi.spyOn(scheduler, 'wait').mockImplementation(async (ms) => {
      waits.push(ms);
    });
    onTestFinished(() => wait.mockRestore());
    let sends = 0;
    const send = () => (sends++, Promise.reject(new Error('queue down')));
    const { lost } = await deliver(send, () => Promise.resolve(), null);
    expect([sends, waits.length, lost]).toEqual([3, 3, [0]]);
    const [, second = 0, third = 0] = waits;
    expect([second >= 500, second <= 1_000, third >= 750, third <= 1_500]).not.toContain(false);
  });

  it('sends nothing after a wait in which the window was filled', async () => {
    const buffer = busyBuffer();
    const event = { l: 1, t: NOW, ua: 'A', r: '', c: 'IN', g: '', y: '', k: '' };
    const waiting = buffer.add({ event, address: '' }, 1);
    if (waiting === null) throw new Error('no window was opened');
    while (buffer.add({ event, address: '' }, 1_000) === null);
    const CLICKS = withMethods(env.CLICKS, { send: () => Promise.reject(new Error('sent')) });
    const deps: DeliveryDeps = {
      fold: () => Promise.reject(new Error('folded')),
      log: (_, facts) => expect(facts).toEqual({}),
      recordLoss: () => Promise.reject(new Error('recorded')),
    };
    await deliverWindow(waiting, buffer, { ...env, CLICKS }, deps, LIMITS);
  });

  it('[T40] records the clicks that were dropped while too many waited', async () => {
    const buffer = busyBuffer();
    const event = { l: 1, t: NOW, ua: 'A'.repeat(500), r: '', c: 'IN', g: '', y: '', k: '' };
    const full: WindowDelivery[] = [];
    let added = 0;
    let bytes = -1;
    // Windows that nobody delivers, until the buffer takes no more.
    for (; buffer.pendingBytes() !== bytes; added++) {
      bytes = buffer.pendingBytes();
      const delivery = buffer.add({ event, address: '' }, 1);
      if (delivery !== null && 'window' in delivery) full.push(delivery);
    }
    for (let i = 0; i < 4; i++) buffer.add({ event, address: '' }, 1);
    const lost: number[] = [];
    const logged: unknown[] = [];
    const deps: DeliveryDeps = {
      fold: () => Promise.resolve(),
      log: (name, facts) => logged.push([name, facts]),
      recordLoss: (_, clicks) => Promise.resolve(void lost.push(clicks)),
    };
    const CLICKS = withMethods(env.CLICKS, { send: () => Promise.resolve() });
    for (const delivery of full.slice(0, 2))
      await deliverWindow(delivery, buffer, { ...env, CLICKS }, deps, LIMITS);
    expect(lost).toEqual([5, 0]);
    expect(logged).toEqual([['click_lost', { clicks: 5, error: 'too many clicks pending' }]]);
  });

  it('logs a loss if D1 hangs, instead of waiting', async () => {
    const { logged } = await deliver(
      () => Promise.reject(new Error('queue down')),
      () => never,
      20,
    );
    expect(logged).toEqual([['click_lost', { clicks: 2, error: 'Error: no answer within 20 ms' }]]);
  });
});
