import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { foldWindows } from '#worker/clicks/fold-windows.ts';
import worker from '#worker/index.ts';
import { publishLinks } from '#worker/links/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import {
  aroundD1,
  aroundKv,
  aroundQueue,
  hangs,
  slow,
  throwsBefore,
  twice,
  withMethods,
  type Around,
} from '#worker/testing/faults.ts';
import type { ClickWindow } from './click-event.ts';

const QUICK = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };
let serial = 5_000;

async function makeCached(publish = true): Promise<{ id: number; path: string; target: string }> {
  const id = ++serial;
  await makeLinks([id]);
  if (publish) await publishLinks(env, [id], Date.now());
  return { id, path: `/link${id}`, target: `https://example.com/${id}` };
}

const kv = (around: Around) => ({ LINKS: aroundKv(env.LINKS, around) });
const d1 = (around: Around) => ({ DB: aroundD1(env.DB, around) });
const clicksOf = async (id: number) =>
  (await env.DB.prepare('SELECT human + bot + prefetch AS n FROM link_totals WHERE link_id = ?').bind(id).first<{ n: number }>())
    ?.n ?? 0;

/** The answer and how long it took, without waiting for what comes after it. */
async function answer(path: string, overrides: Partial<Env>) {
  const ctx = createExecutionContext();
  const began = performance.now();
  const response = await worker.fetch(
    new Request(ORIGIN + path, { redirect: 'manual' }),
    { ...env, ...QUICK, ...overrides },
    ctx,
  );
  return { response, took: performance.now() - began, rest: () => waitOnExecutionContext(ctx) };
}

it.each<[string, Around]>([
  ['fails', throwsBefore('D1_ERROR: Network connection lost')],
  ['hangs', hangs],
])('redirects a cached link while D1 %s', async (_, fault) => {
  const { path, target } = await makeCached();
  const sent: unknown[] = [];
  const CLICKS = aroundQueue(env.CLICKS, (name) => (sent.push(name), Promise.resolve()));
  const response = await call(path, {}, { ...QUICK, ...d1(fault), CLICKS });
  expect(response.headers.get('Location')).toBe(target);
  expect(sent).toHaveLength(1);
});

it.each<[string, Around]>([
  ['fails', throwsBefore('KV GET failed: 500')],
  ['knows nothing', () => Promise.resolve(null)],
  ['answers rubbish', () => Promise.resolve('<html>')],
  ['hangs', hangs],
])('redirects from D1 while KV %s', async (_, fault) => {
  const { path, target } = await makeCached();
  const { response, took, rest } = await answer(path, kv(fault));
  expect(response.headers.get('Location')).toBe(target);
  expect(took).toBeLessThan(3_000);
  await rest();
});

it('redirects from D1 while KV throws without even a promise', async () => {
  const { path, target } = await makeCached();
  const LINKS = withMethods(env.LINKS, {
    get: () => {
      throw new Error('KV is not bound');
    },
  });
  const { response, rest } = await answer(path, { LINKS });
  expect(response.headers.get('Location')).toBe(target);
  await rest();
});

it('counts the click once in D1 itself when the queue fails, and a late copy of the message changes nothing', async () => {
  const { id, path } = await makeCached();
  const windows: ClickWindow[] = [];
  const CLICKS = aroundQueue(env.CLICKS, throwsBefore('Queue send failed'));
  const noting = withMethods(env.CLICKS, { send: (window: ClickWindow) => (windows.push(window), CLICKS.send(window)) });
  const { rest } = await answer(path, { CLICKS: noting });
  await rest();
  expect(await clicksOf(id)).toBe(1);
  expect(new Set(windows.map((window) => window.id)).size).toBe(1);
  await foldWindows(env.DB, windows, Date.now());
  expect(await clicksOf(id)).toBe(1);
});

it('counts a click once that the queue delivers twice', async () => {
  const { id, path } = await makeCached();
  const windows: ClickWindow[] = [];
  const CLICKS = aroundQueue(withSink(windows), twice);
  await call(path, {}, { ...QUICK, CLICKS });
  expect(windows).toHaveLength(2);
  for (const window of windows) await foldWindows(env.DB, [window], Date.now());
  expect(await clicksOf(id)).toBe(1);
});

it('redirects through a D1 outage and counts those clicks when it is over', async () => {
  const { id, path } = await makeCached();
  const windows: ClickWindow[] = [];
  const down = d1(throwsBefore('D1_ERROR: Cannot resolve D1 DB due to transient issue'));
  for (let i = 0; i < 5; i++) expect((await call(path, {}, { ...QUICK, ...down, CLICKS: withSink(windows) })).status).toBe(302);
  await expect(foldWindows(down.DB, windows, Date.now())).rejects.toThrow('D1_ERROR');
  expect(await clicksOf(id)).toBe(0);
  await foldWindows(env.DB, windows, Date.now());
  expect(await clicksOf(id)).toBe(5);
});

it.each<[string, Around]>([
  ['fail', throwsBefore('down')],
  ['hang', hangs],
])(
  'is 503 with Retry-After, never 404, while KV and D1 both %s',
  async (name, fault) => {
    const { path } = await makeCached();
    for (const asked of name === 'hang' ? [path] : [path, '/never-made']) {
      const { response } = await answer(asked, { ...kv(fault), ...d1(fault) });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
  },
  20_000,
);

it('waits for a slow KV no longer than it has to, and for a slow D1', async () => {
  const { path, target } = await makeCached();
  const { response, rest } = await answer(path, { ...kv(slow(60_000)), ...d1(slow(500)) });
  expect(response.headers.get('Location')).toBe(target);
  await rest();
});

it.each<[string, Around]>([
  ['fails', throwsBefore('Queue send failed: Too Many Requests')],
  ['hangs', hangs],
])(
  'redirects as fast while the queue %s, and gives up on it in time',
  async (_, fault) => {
    const { path, target } = await makeCached();
    const { response, took, rest } = await answer(path, { CLICKS: aroundQueue(env.CLICKS, fault) });
    expect(response.headers.get('Location')).toBe(target);
    expect(took).toBeLessThan(1_000);
    await rest();
  },
  30_000,
);

/** A queue that keeps what it is given for the test to deliver. */
function withSink(windows: ClickWindow[]): Queue {
  return withMethods(env.CLICKS, { send: (window: ClickWindow) => (windows.push(window), Promise.resolve()) });
}
