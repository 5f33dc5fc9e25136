import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { isFree, originOf, portFrom, rememberOrigin, tickCron, untilReady } from './serve.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [undefined, 8787],
  ['', 8787],
  ['1', 1],
  ['65535', 65_535],
])('PORT=%s is the port %i', (PORT, port) => {
  expect(portFrom({ PORT }, 8787)).toBe(port);
});

it.each(['0', '65536', '-1', '80.5', 'http'])('PORT=%s is not a port', (PORT) => {
  expect(() => portFrom({ PORT }, 8787)).toThrow(`PORT=${PORT} is not a port number.`);
});

it.each(['127.0.0.1', '::1'])('a port is taken if something listens on %s', async (host) => {
  const server = createServer();
  try {
    server.listen(0, host);
    await once(server, 'listening');
  } catch {
    // A machine without IPv6.
    return;
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await isFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  // A connection of another program can have the port for a moment.
  await expect.poll(() => isFree(port), { timeout: 20_000 }).toBe(true);
});

it('a server is ready once it answers without an error of its own', async () => {
  const statuses = [0, 503, 500, 404];
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    const status = statuses[asked] ?? 404;
    asked += 1;
    if (status === 0) throw new Error('refused');
    return new Response(null, { status });
  });
  const server = spawn('/usr/bin/env', ['sleep', '60']);
  expect(await untilReady('http://localhost', server)).toBe(true);
  expect(asked).toBe(4);
  server.kill();
  await once(server, 'exit');
});

it('the address of a state is where it was served last, unless PORT is set', () => {
  const state = mkdtempSync(join(tmpdir(), 'hop-state-'));
  expect(originOf(state, {})).toBe('http://localhost:8787');
  rememberOrigin(state, 'http://localhost:9000');
  expect(originOf(state, { PORT: '' })).toBe('http://localhost:9000');
  expect(originOf(state, { PORT: '9100' })).toBe('http://localhost:9100');
});

it('cron fires at once and then every minute', () => {
  vi.useFakeTimers();
  const fetch = vi.fn((_url: string) => Promise.reject(new Error('refused')));
  vi.stubGlobal('fetch', fetch);
  const timer = tickCron('http://localhost');
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([
    'http://localhost/cdn-cgi/handler/scheduled?cron=*%20*%20*%20*%20*',
  ]);
  vi.advanceTimersByTime(60_000);
  expect(fetch).toHaveBeenCalledTimes(2);
  clearInterval(timer);
  vi.useRealTimers();
});

it('a server that ended is never ready', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('refused')));
  const server = spawn('/usr/bin/env', ['false']);
  await once(server, 'exit');
  expect(await untilReady('http://localhost', server)).toBe(false);
});
