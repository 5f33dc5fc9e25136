import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#scripts/local/product.ts';
import type { Product } from './start-product.ts';
import { FIRST_STATE } from './state-folder.ts';

export type SecondServer = Product & {
  origin: string;
};

/**
 * Starts a server whose settings the server of the other tests does not have, with the same demo
 * data. `settingsOf` gets its origin.
 */
export async function startSecondServer(
  settingsOf: (origin: string) => string | Promise<string>,
): Promise<SecondServer> {
  const state = mkdtempSync(join(tmpdir(), 'hop-second-'));
  cpSync(FIRST_STATE, state, { recursive: true });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  // Wrangler takes a second to load, also for tests that need no second server.
  const { startProduct } = await import('./start-product.ts');
  const product = await startProduct(origin, state, await settingsOf(origin));
  const stop = async (): Promise<void> => {
    await product.stop();
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...product, origin, stop };
}
