import { resolve } from 'node:path';

/** The folder with the state of the product under test. */
export const STATE = resolve(import.meta.dirname, '../../.state/e2e');
