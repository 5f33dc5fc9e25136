import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { STATE } from './state-folder.ts';

/** The variable in which every process of a run finds what `npm run admin -- claim` printed. */
export const CLAIM = 'HOP_E2E_CLAIM';

/**
 * Runs the command before any test, because it locks the database for a moment, in which a request
 * that writes would fail. Playwright requires a default export.
 */
export default async function claimAdmin(): Promise<void> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/local/admin.ts', 'claim'],
    { env: { ...process.env, PORT: process.env['HOP_E2E_PORT'], STATE_DIR: STATE } },
  );
  process.env[CLAIM] = stdout;
}
