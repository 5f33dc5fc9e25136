import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localVars } from './dev-vars.ts';
import { QUIET, ROOT } from '#scripts/shared/place.ts';
import { isFree, untilReady } from './serve.ts';

/**
 * A free port below those that a system hands out for port 0 and for connections: one of these could
 * be in use before the server has started.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  return (await isFree(port)) ? port : freePort();
}

/**
 * Runs `work` on the product as `npm start` serves it, with demo data, on a free port and in a
 * temporary state folder. `work` receives its origin, the folder and the id of the server's
 * process. `args` are passed to `wrangler dev`. HOP_DEMO_STATE names a state with demo data to copy,
 * because writing them takes longer than all else.
 */
export async function withProduct<T>(
  work: (origin: string, state: string, pid: number) => Promise<T>,
  args: readonly string[] = [],
): Promise<T> {
  const state = mkdtempSync(join(tmpdir(), 'hop-product-'));
  const vars = join(state, 'vars.env');
  writeFileSync(vars, localVars('a-secret-for-a-product-of-an-hour'));
  const demo = process.env['HOP_DEMO_STATE'];
  if (demo !== undefined) cpSync(demo, state, { recursive: true });
  const port = await freePort();
  const server = spawn(process.execPath, ['scripts/local/start.ts', '--env-file', vars, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...QUIET,
      ...(demo !== undefined && { DEMO: 'off' }),
      PORT: String(port),
      STATE_DIR: state,
    },
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
