import { run } from '#scripts/shared/place.ts';
import { STATE } from './state-folder.ts';

/** The variable in which every process of a run finds what `npm run admin -- claim` printed. */
export const CLAIM = 'HOP_E2E_CLAIM';

/**
 * Runs the command before any test, because it locks the database for a moment, in which a request
 * that writes would fail. Playwright requires a default export.
 */
export default async function claimAdmin(): Promise<void> {
  const { code, output } = await run(process.execPath, ['scripts/local/admin.ts', 'claim'], {
    quiet: true,
    env: { PORT: process.env['HOP_E2E_PORT'], STATE_DIR: STATE },
  });
  if (code !== 0) throw new Error(output);
  process.env[CLAIM] = output;
}
