import { resolve } from 'node:path';

/**
 * The folder with the state of the product under test. It stays until the next run, for a look
 * after a failure, but for `npm test`, which keeps its files in memory and deletes them.
 */
export const STATE = resolve(
  process.env['HOP_E2E_STATE'] ?? resolve(import.meta.dirname, '../../.state/e2e'),
);
/**
 * A copy whose database is migrated and empty, for a test that starts a second server. Migrating
 * takes 5 s of CPU time.
 */
export const EMPTY_STATE = `${STATE}-empty`;
