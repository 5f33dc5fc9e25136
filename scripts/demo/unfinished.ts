import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '#scripts/stamp.ts';

/**
 * The exit code of `scripts/demo/seed.ts` where there are no demo accounts, and no error either.
 */
export const NO_DEMO = 3;

const markerIn = (state: string): string => join(state, 'demo-unfinished');

/**
 * Runs `work` while a marker in the state folder says that the demo data is being written, and by
 * which process.
 */
export async function whileUnfinished<T>(state: string, work: () => Promise<T>): Promise<T> {
  writeFileSync(markerIn(state), String(process.pid));
  const result = await work();
  rmSync(markerIn(state));
  return result;
}

/**
 * Empties the state folder if writing the demo data into it was interrupted. Nothing else is lost:
 * the data is written only into an empty database, before the server starts. Returns whether it
 * did.
 */
export function discardUnfinishedDemo(state: string): boolean {
  const marker = markerIn(state);
  if (!existsSync(marker) || isRunning(marker)) return false;
  for (const name of ['v3', 'migrated'])
    rmSync(join(state, name), { recursive: true, force: true });
  rmSync(marker, { force: true });
  return true;
}
