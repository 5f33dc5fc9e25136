import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BIN, CONFIG, QUIET, ROOT, type Variables } from '#scripts/shared/place.ts';

const CRON_EVERY_MS = 60_000;
const READY_WITHIN_MS = 240_000;

/** True if nothing listens on `port` on either loopback address. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const taken = await new Promise<boolean>((done) => {
      const probe = createServer();
      // A machine without IPv6 answers EADDRNOTAVAIL, so nobody can listen on that address.
      probe.once('error', (error) => done('code' in error && error.code === 'EADDRINUSE'));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => done(false)));
    });
    if (taken) return false;
  }
  return true;
}

/** Returns the port in PORT, or `fallback`. Throws if PORT is not a port. */
export function portFrom(env: Variables, fallback: number): number {
  const port = Number(env['PORT'] || fallback);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT=${env['PORT']} is not a port number.`);
  return port;
}

const addressFile = (state: string): string => join(state, 'origin.txt');

/** Remembers beside the state where it is served, for commands that print an address. */
export const rememberOrigin = (state: string, origin: string): void =>
  writeFileSync(addressFile(state), origin);

/** Where the product with this state is, or was last, served; PORT says it, too. */
export function originOf(state: string, env: Variables): string {
  const file = addressFile(state);
  return (env['PORT'] ?? '') === '' && existsSync(file)
    ? readFileSync(file, 'utf8')
    : `http://localhost:${portFrom(env, 8787)}`;
}

/**
 * Starts `wrangler dev` on `port` with its state under `state` and the extra arguments `args`. With
 * `isGroup` it leads a separate process group, which can be killed as a whole.
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
 * Waits until the Worker at `origin` responds. Resolves to false if the server ended first; throws
 * after four minutes.
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
      // The server is not listening yet.
    }
    await sleep(200);
  }
  throw new Error(`${origin} did not answer within ${READY_WITHIN_MS / 1000} seconds.`);
}

/** Fires the cron triggers once a minute, because `wrangler dev` does not. */
export function tickCron(origin: string): NodeJS.Timeout {
  const fire = () => {
    fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('* * * * *')}`, {
      signal: AbortSignal.timeout(CRON_EVERY_MS),
    }).catch(() => undefined);
  };
  // Jobs may have become due since the last start.
  fire();
  return setInterval(fire, CRON_EVERY_MS).unref();
}

/**
 * Ties this process to `server`: it ends when the server ends, and a signal stops the server first.
 * Ctrl-C also reaches wrangler, so the handler only keeps this process alive until wrangler has
 * closed its storage.
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
