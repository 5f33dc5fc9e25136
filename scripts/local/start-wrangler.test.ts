import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { BIN, CONFIG, QUIET, ROOT } from '#scripts/shared/place.ts';
import { localVars } from './dev-vars.ts';
import { startWrangler, stopWith } from './serve.ts';

const spawn = vi.hoisted(() => vi.fn());
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  spawn,
}));

const kill = vi.fn<(signal: string) => void>();
beforeEach(() => {
  kill.mockClear();
  spawn.mockReset().mockImplementation(() => Object.assign(new EventEmitter(), { kill }));
});

it('wrangler serves a state on a port, and asks and reports nothing', () => {
  startWrangler(9000, '/state', ['--var', 'A:b']);
  const [program, args, options] = spawn.mock.lastCall ?? [];
  expect([program, options.cwd, options.detached]).toEqual([join(BIN, 'wrangler'), ROOT, false]);
  expect(args.join(' ')).toBe(
    `dev --config ${CONFIG} --port 9000 --persist-to /state --show-interactive-dev-session=false --var A:b`,
  );
  expect(options.env).toMatchObject({ ...QUIET, STATE_DIR: '/state', PATH: process.env['PATH'] });
  expect(QUIET).toMatchObject({
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  });
  startWrangler(9000, '/state', [], { isGroup: true });
  expect(spawn.mock.lastCall?.[2]).toMatchObject({ detached: true });
});

it.each<[signals: string[], killed: string[], code: number | null, exit: number]>([
  [[], [], 3, 3],
  [[], [], null, 1],
  [['SIGINT'], ['SIGINT'], 130, 0],
  [['SIGINT', 'SIGINT', 'SIGTERM'], ['SIGINT', 'SIGTERM'], null, 0],
])('after the signals %j a server gets %j, and its end %s is %i', (signals, killed, code, exit) => {
  const handlers = new Map<string, () => void>();
  const on = vi.spyOn(process, 'on');
  on.mockImplementation((signal, handler) => (handlers.set(String(signal), handler), process));
  const ended = vi.spyOn(process, 'exit').mockImplementation((status) => {
    throw new Error(`exit ${status}`);
  });
  const server = startWrangler(9000, '/state', []);
  stopWith(server);
  for (const signal of signals) handlers.get(signal)?.();
  expect(kill.mock.calls.flat()).toEqual(killed);
  expect(() => server.emit('exit', code)).toThrow(`exit ${exit}`);
  for (const spy of [on, ended]) spy.mockRestore();
});

it('the settings of a developer’s machine are demo billing, a mailbox and a secret', () => {
  expect(localVars('a-secret').split('\n').slice(1)).toEqual([
    'AUTH_SECRET=a-secret',
    'BILLING=demo',
    'DEV_MAILBOX=on',
    'ADMIN_EMAILS=admin@example.com',
    'MAIL_FROM=hop@example.com',
    'SUPPORT_EMAIL=support@example.com',
    '',
  ]);
});
