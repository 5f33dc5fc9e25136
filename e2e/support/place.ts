import { resolve } from 'node:path';

/** Where the product under test keeps its state, and what playwright.config.ts decided about this run. */
export const STATE = resolve(import.meta.dirname, '../../.state/e2e');
