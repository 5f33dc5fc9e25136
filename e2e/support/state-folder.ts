import { resolve } from 'node:path';

/**
 * The state folder of the product under test. It stays until the next run so that failures can be
 * examined, but `npm test` keeps it in memory and deletes it.
 */
export const STATE = resolve(
  process.env['HOP_E2E_STATE'] ?? resolve(import.meta.dirname, '../../.state/e2e'),
);
/** The file with the port that takes statements for the D1 of the product under test. */
export const DATABASE_PORT = resolve(STATE, 'database-port');
/** A copy from before the first start, for tests that start a second server. */
export const FIRST_STATE = `${STATE}-first`;
