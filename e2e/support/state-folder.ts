import { resolve } from 'node:path';

/**
 * The folder with the state of the product under test. It stays until the next run, for a look after a failure, but for `npm test`,
 * which keeps its files in memory and deletes them.
 */
export const STATE = resolve(process.env['HOP_E2E_STATE'] ?? resolve(import.meta.dirname, '../../.state/e2e'));
/** The same with a migrated database that is empty, for a test that starts a product of its own. Migrating takes 5 s of CPU time. */
export const EMPTY_STATE = `${STATE}-empty`;
