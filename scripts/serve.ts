import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BIN, CONFIG, QUIET, ROOT, type Variables } from './place.ts';

const CRON_EVERY_MS = 60_000;
const READY_WITHIN_MS = 120_000;

/** True if nothing listens on `port` of this machine, on either loopback address. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const taken = await new Promise<boolean>((done) => {
      const probe = createServer();
      // A machine without IPv6 answers EADDRNOTAVAIL: that address cannot be taken.
      probe.once('error', (error) => done('code' in error && error.code === 'EADDRINUSE'));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(false)));
    });
    if (taken) return false;
  }
  return true;
}

/** The port asked for in PORT, else `fallback`. Throws where it is no port. */
export function portFrom(env: Variables, fallback: number): number {
  const port = Number(env['PORT'] || fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT=${env['PORT']} is not a port number.`);
  return port;
}

/**
 * `wrangler dev` on `port` with its state under `state`; `args` are passed on to it. With `isGroup`
 * it leads a process group of its own, which can be killed as a whole.
 */
export function startWrangler(
  port: number,
  state: string,
  args: readonly string[],
  { isGroup = false } = {},
): ChildProcess {
  const own = [
    'dev',
    '--config',
    CONFIG,
    '--port',
    String(port),
    '--persist-to',
    state,
    '--show-interactive-dev-session=false',
  ];
  return spawn(join(BIN, 'wrangler'), [...own, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: isGroup,
    env: { ...process.env, ...QUIET, STATE_DIR: state },
  });
}

/**
 * Waits until the Worker at `origin` answers. Resolves false if the server ended first; throws
 * after two minutes.
 */
export async function untilReady(origin: string, server: ChildProcess): Promise<boolean> {
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (server.exitCode !== null) return false;
    try {
      const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(5000) });
      await answer.arrayBuffer();
      if (answer.status < 500) return true;
    } catch {
      // Not listening yet.
    }
    await sleep(200);
  }
  throw new Error(`${origin} did not answer within ${READY_WITHIN_MS / 1000} seconds.`);
}

/**
 * `wrangler dev` fires no cron triggers: this fires them once a minute, so that the jobs run here
 * too.
 */
export function tickCron(origin: string): NodeJS.Timeout {
  const fire = () => {
    fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`, {
      signal: AbortSignal.timeout(CRON_EVERY_MS),
    }).catch(() => undefined);
  };
  // Jobs may have been due since the last start.
  fire();
  return setInterval(fire, CRON_EVERY_MS).unref();
}

/**
 * Ties this process to `server`: it ends when the server ends, and a signal stops the server first.
 * Ctrl-C reaches wrangler too (one process group); here it only keeps us alive until wrangler has
 * closed its stores.
 */
export function stopWith(server: ChildProcess): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping && signal === 'SIGINT') return;
      stopping = true;
      server.kill(signal);
    });
  }
  server.on('exit', (code) => process.exit(stopping ? 0 : (code ?? 1)));
}
