import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localVars } from '#scripts/local/dev-vars.ts';
import { freePort } from '#scripts/local/product.ts';
import { startWrangler, untilReady } from '#scripts/local/serve.ts';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';
import { EMPTY_STATE } from './state-folder.ts';

export type SecondServer = {
  origin: string;
  /** Changes the server's D1, for states that no page can create. */
  execute: (sql: string) => void;
  /** Fires the cron trigger, which runs the jobs that are due. */
  runJobs: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts a server whose settings the server of the other tests does not have, without demo data.
 * `settingsOf` gets its origin.
 */
export async function startSecondServer(
  settingsOf: (origin: string) => string | Promise<string>,
): Promise<SecondServer> {
  const state = mkdtempSync(join(tmpdir(), 'hop-second-'));
  cpSync(EMPTY_STATE, state, { recursive: true });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const vars = join(state, 'vars.env');
  const settings = await settingsOf(origin);
  writeFileSync(vars, `${localVars('a-secret-of-the-browser-tests-only')}${settings}`);
  const server: ChildProcess = startWrangler(port, state, [
    '--log-level',
    'error',
    '--env-file',
    vars,
    '--var',
    `APP_ORIGIN:${origin}`,
  ]);
  if (!(await untilReady(origin, server))) throw new Error('The second server did not start.');
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  };
  const execute = (sql: string): void =>
    withLocalDatabase(state, (db) => db.exec(sql), { readOnly: false });
  const runJobs = async (): Promise<void> => {
    const cron = encodeURIComponent('* * * * *');
    await (await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${cron}`)).arrayBuffer();
  };
  return { origin, execute, runJobs, stop };
}
