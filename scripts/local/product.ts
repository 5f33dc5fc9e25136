import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localVars } from './dev-vars.ts';
import { QUIET, ROOT } from '#scripts/shared/place.ts';
import { untilReady } from './serve.ts';

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? done(address.port) : fail(new Error('no port')),
      );
    });
  });
}

/**
 * Runs `work` on the product as `npm start` serves it, with demo data, on a free port and in a
 * temporary state folder. `work` receives its origin, the folder and the id of the server's
 * process. `args` are passed to `wrangler dev`.
 */
export async function withProduct<T>(
  work: (origin: string, state: string, pid: number) => Promise<T>,
  args: readonly string[] = [],
): Promise<T> {
  const state = mkdtempSync(join(tmpdir(), 'hop-product-'));
  const vars = join(state, 'vars.env');
  writeFileSync(vars, localVars('a-secret-for-a-product-of-an-hour'));
  const port = await freePort();
  const server = spawn(process.execPath, ['scripts/local/start.ts', '--env-file', vars, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...QUIET, PORT: String(port), STATE_DIR: state },
  });
  const ended = once(server, 'exit');
  try {
    const origin = `http://localhost:${port}`;
    if (!(await untilReady(origin, server))) throw new Error('The product did not start.');
    return await work(origin, state, server.pid ?? 0);
  } finally {
    server.kill('SIGTERM');
    await ended;
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  }
}
