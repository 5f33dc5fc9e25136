import { resolve } from 'node:path';

/** The folder with the state of the product under test. It stays until the next run, for a look after a failure. */
export const STATE = resolve(import.meta.dirname, '../../.state/e2e');
