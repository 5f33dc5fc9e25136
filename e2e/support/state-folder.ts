import { resolve } from 'node:path';

/**
 * The state folder of the product under test. It stays until the next run so that failures can be
 * examined, but `npm test` keeps it in memory and deletes it.
 */
export const STATE = resolve(
  process.env['HOP_E2E_STATE'] ?? resolve(import.meta.dirname, '../../.state/e2e'),
);
/**
 * A copy with a migrated, empty database, for tests that start a second server. Migrating takes 5 s
 * of CPU time.
 */
export const EMPTY_STATE = `${STATE}-empty`;
