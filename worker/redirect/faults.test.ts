import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { foldWindows } from '#worker/clicks/fold/fold-windows.ts';
import worker from '#worker/index.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeLinks } from '#worker/testing/clicks.ts';
import { withMethods } from '#worker/db/with-methods.ts';
import {
  aroundD1,
  aroundKv,
  aroundQueue,
  hangs,
  slow,
  throwsBefore,
  twice,
  type Around,
} from '#worker/testing/faults.ts';
import { stopClock } from '#worker/testing/stop-clock.ts';
import type { ClickWindow } from './click-event.ts';

const QUICK = { CLICK_WINDOW_MS: '1', LINK_MEMORY_MS: '0' };
let serial = 5_000;

/** A link that KV holds. */
async function makePublished(): Promise<{ id: number; path: string; target: string }> {
  const id = ++serial;
  await makeLinks([id]);
  await publishLinks(env, [id], Date.now());
  return { id, path: `/link${id}`, target: `https://example.com/${id}` };
}

const kv = (around: Around) => ({ LINKS: aroundKv(env.LINKS, around) });
const d1 = (around: Around) => ({ DB: aroundD1(env.DB, around) });
const clicksOf = async (id: number) =>
  (
    await env.DB.prepare('SELECT human + bot + prefetch AS n FROM link_totals WHERE link_id = ?')
      .bind(id)
      .first<{ n: number }>()
  )?.n ?? 0;

/** The response, without waiting for the work after it: that is `rest`. */
async function request(path: string, overrides: Partial<Env>) {
  const ctx = createExecutionContext();
  const response = await worker.fetch(
    new Request(ORIGIN + path, { redirect: 'manual' }),
    { ...env, ...QUICK, ...overrides },
    ctx,
  );
  return { response, rest: () => waitOnExecutionContext(ctx) };
}

describe('a redirect while storage is faulty', () => {
  it.each<[string, Around]>([
    ['fails', throwsBefore('D1_ERROR: Network connection lost')],
    ['hangs', hangs],
  ])('redirects a published link while D1 %s', async (_, fault) => {
    // KV is in time, however busy the machine is.
    stopClock();
    const { path, target } = await makePublished();
    const sent: unknown[] = [];
    const CLICKS = aroundQueue(env.CLICKS, (name) => (sent.push(name), Promise.resolve()));
    const response = await call(path, {}, { ...QUICK, ...d1(fault), CLICKS });
    expect(response.headers.get('Location')).toBe(target);
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Around]>([
    ['fails', throwsBefore('KV GET failed: 500')],
    ['has no record', () => Promise.resolve(null)],
    ['returns an invalid record', () => Promise.resolve('<html>')],
    ['hangs', hangs],
  ])('redirects from D1 while KV %s', async (_, fault) => {
    const { path, target } = await makePublished();
    const { response, rest } = await request(path, kv(fault));
    expect(response.headers.get('Location')).toBe(target);
    await rest();
  });

  it('redirects from D1 while KV throws instead of returning a promise', async () => {
    const { path, target } = await makePublished();
    const LINKS = withMethods(env.LINKS, {
      get: () => {
        throw new Error('KV is not bound');
      },
    });
    const { response, rest } = await request(path, { LINKS });
    expect(response.headers.get('Location')).toBe(target);
    await rest();
  });

  it('a click counts once if the queue fails but delivers it later', async () => {
    const { id, path } = await makePublished();
    const windows: ClickWindow[] = [];
    const CLICKS = aroundQueue(env.CLICKS, throwsBefore('Queue send failed'));
    const noting = withMethods(env.CLICKS, {
      send: (window: ClickWindow) => (windows.push(window), CLICKS.send(window)),
    });
    const { rest } = await request(path, { CLICKS: noting });
    await rest();
    expect(await clicksOf(id)).toBe(1);
    expect(new Set(windows.map((window) => window.id)).size).toBe(1);
    await foldWindows(env.DB, windows, Date.now());
    expect(await clicksOf(id)).toBe(1);
  });

  it('a click counts once if the queue delivers it twice', async () => {
    const { id, path } = await makePublished();
    const windows: ClickWindow[] = [];
    const CLICKS = aroundQueue(withSink(windows), twice);
    await call(path, {}, { ...QUICK, CLICKS });
    expect(windows).toHaveLength(2);
    for (const window of windows) await foldWindows(env.DB, [window], Date.now());
    expect(await clicksOf(id)).toBe(1);
  });

  it('[T40] redirects through a D1 outage and counts the clicks afterwards', async () => {
    stopClock();
    const { id, path } = await makePublished();
    const windows: ClickWindow[] = [];
    const down = d1(throwsBefore('D1_ERROR: Cannot resolve D1 DB due to transient issue'));
    for (let i = 0; i < 5; i++)
      expect((await call(path, {}, { ...QUICK, ...down, CLICKS: withSink(windows) })).status).toBe(
        302,
      );
    await expect(foldWindows(down.DB, windows, Date.now())).rejects.toThrow('D1_ERROR');
    expect(await clicksOf(id)).toBe(0);
    await foldWindows(env.DB, windows, Date.now());
    expect(await clicksOf(id)).toBe(5);
  });

  it.each<[string, Around]>([
    ['fail', throwsBefore('down')],
    ['hang', hangs],
  ])(
    '[T40] returns 503 with Retry-After, never 404, while KV and D1 both %s',
    async (name, fault) => {
      const { path } = await makePublished();
      for (const asked of name === 'hang' ? [path] : [path, '/never-made']) {
        const { response } = await request(asked, { ...kv(fault), ...d1(fault) });
        expect(response.status).toBe(503);
        expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(response.headers.get('Cache-Control')).toBe('no-store');
      }
    },
  );

  it('a redirect stops waiting for a slow KV, and waits for a slow D1', async () => {
    const { path, target } = await makePublished();
    const { response, rest } = await request(path, { ...kv(slow(60_000)), ...d1(slow(500)) });
    expect(response.headers.get('Location')).toBe(target);
    await rest();
  });

  it('redirects before the queue has accepted the click', async () => {
    const { id, path, target } = await makePublished();
    const windows: ClickWindow[] = [];
    let accept = (): void => undefined;
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    const CLICKS = aroundQueue(withSink(windows), async (_, run) => (await accepted, run()));
    const { response, rest } = await request(path, { CLICKS });
    expect(response.headers.get('Location')).toBe(target);
    expect(windows).toEqual([]);
    accept();
    await rest();
    await foldWindows(env.DB, windows, Date.now());
    expect(await clicksOf(id)).toBe(1);
  });
});

/** A queue that collects its messages for the test to deliver. */
function withSink(windows: ClickWindow[]): Queue {
  return withMethods(env.CLICKS, {
    send: (window: ClickWindow) => (windows.push(window), Promise.resolve()),
  });
}
