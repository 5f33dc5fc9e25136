import { env } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { foldWindows } from '#worker/clicks/consume.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/testing/faults.ts';
import type { ClickWindow } from './click-event.ts';
import { createClickBuffer } from './click-window.ts';
import { deliverWindow, type DeliveryDeps, type DeliveryLimits } from './deliver-window.ts';
import { assignVisitorIds } from './visitor-id.ts';

const PATIENCE: DeliveryLimits = { sendMs: 30, attempts: 3, pauseMs: 5, foldMs: 200 };
const NOW = Date.now();
const KEY = new Uint8Array(32).fill(9);
const never = new Promise<never>(() => undefined);

type Queued = (window: ClickWindow) => Promise<unknown>;

async function run(send: Queued, fold?: DeliveryDeps['fold'], over: Partial<Env> = {}) {
  const buffer = createClickBuffer();
  const logged: [string, Record<string, string | number>][] = [];
  const folded: ClickWindow[] = [];
  const outlets: DeliveryDeps = {
    fold: (given, window, now) => (folded.push(window), (fold ?? ((e, w, n) => foldWindows(e.DB, [w], n)))(given, window, now)),
    log: (event, facts) => logged.push([event, facts]),
  };
  const event = { l: 1, t: NOW, ua: 'A', r: '', c: 'IN', g: '', y: '', k: '' };
  const delivery = buffer.add({ event, from: '203.0.113.5' }, 1);
  if (delivery === null) throw new Error('no window was opened');
  buffer.add({ event: { ...event, t: NOW + 1 }, from: '' }, 1);
  const CLICKS = withMethods(env.CLICKS, { send });
  const began = performance.now();
  await deliverWindow(delivery, buffer, { ...env, CLICKS, ...over }, outlets, PATIENCE);
  return { logged, folded, took: performance.now() - began, window: delivery.window, pending: buffer.pendingBytes() };
}

const totals = async () =>
  (await env.DB.prepare('SELECT human + bot + prefetch AS n FROM link_totals WHERE link_id = 1').first<{ n: number }>())?.n ?? 0;

it('sends the window once, with visitors marked and addresses gone', async () => {
  const sent: ClickWindow[] = [];
  const { folded, logged, window, pending } = await run((message) => (sent.push(message), Promise.resolve()));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.id).toBe(window.id);
  expect(sent[0]?.e.map(({ k }) => k === '')).toEqual([false, true]);
  expect(window.clicks.every(({ from }) => from === '')).toBe(true);
  expect([folded, logged, pending]).toEqual([[], [], 0]);
});

it('tries again when the queue throws', async () => {
  const ids: string[] = [];
  const { folded } = await run(
    ({ id }) => (ids.push(id), ids.length < 3 ? Promise.reject(new Error('Too Many Requests')) : Promise.resolve()),
  );
  expect(new Set(ids).size).toBe(1);
  expect(ids).toHaveLength(3);
  expect(folded).toEqual([]);
});

it.each<[string, Queued]>([
  ['throws', () => Promise.reject(new Error('Queue is overloaded'))],
  ['hangs', () => never],
  [
    'throws without a promise',
    () => {
      throw new Error('broken binding');
    },
  ],
])('counts the clicks in D1 when the queue %s, and only once when a send did get through', async (_, send) => {
  await makeLinks([1]);
  const before = await totals();
  const { folded, logged, took } = await run(send);
  expect(folded).toHaveLength(1);
  expect(logged).toEqual([]);
  expect(took).toBeLessThan(3_000);
  expect(await totals()).toBe(before + 2);
  await foldWindows(env.DB, folded, NOW);
  expect(await totals()).toBe(before + 2);
});

it('says how many clicks are lost when D1 fails too', async () => {
  const { logged, pending } = await run(
    () => Promise.reject(new Error('queue down')),
    () => Promise.reject(new Error('D1 down')),
  );
  expect(logged).toEqual([['click_lost', { clicks: 2, error: 'Error: D1 down' }]]);
  expect(pending).toBe(0);
});

it('counts without visitor keys when no key can be had', async () => {
  const gone = () => Promise.reject(new Error('down'));
  const click = { event: { l: 1, t: NOW + 40 * 86_400_000, ua: 'A', r: '', c: '', g: '', y: '', k: '' }, from: '203.0.113.5' };
  const stores = { DB: withMethods(env.DB, { batch: gone }), LINKS: withMethods(env.LINKS, { get: gone }) };
  await assignVisitorIds([click], stores);
  expect(click).toMatchObject({ event: { k: '' }, from: '' });
});

it('marks each of many clicks as HMAC-SHA-256 under the key of its day says', async () => {
  const key = await crypto.subtle.importKey('raw', KEY, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const day = Math.floor(NOW / 86_400_000) + 3;
  await env.LINKS.put(`visitor-key:${day}`, btoa(String.fromCharCode(...KEY)));
  const clicks = Array.from({ length: 100 }, (_, i) => ({
    event: { l: i, t: day * 86_400_000 + i, ua: `Agent ${i} ${'x'.repeat(i * 4)}`, r: '', c: '', g: '', y: '', k: '' },
    from: `203.0.113.${i}`,
  }));
  await assignVisitorIds(clicks, env);
  for (const [i, { event }] of clicks.entries()) {
    const who = new TextEncoder().encode(`203.0.113.${i}\n${i}\n${event.ua}`);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, who));
    expect(event.k).toBe(btoa(String.fromCharCode(...digest.slice(0, 12))));
  }
});
