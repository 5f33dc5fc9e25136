import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '#scripts/shared/stamp.ts';

/** The exit code of `migrate-and-seed.ts` if there are no demo accounts but no error occurred. */
export const NO_DEMO = 3;

const markerIn = (state: string): string => join(state, 'demo-unfinished');

/**
 * Runs `work` while a marker in the state folder records that demo data is being written, and the
 * id of the process.
 */
export async function whileUnfinished<T>(state: string, work: () => Promise<T>): Promise<T> {
  writeFileSync(markerIn(state), String(process.pid));
  const result = await work();
  rmSync(markerIn(state));
  return result;
}

/**
 * Empties the state folder if writing the demo data was interrupted, and returns whether it did.
 * Nothing else is lost: demo data is written only into an empty database before the server starts.
 */
export function discardUnfinishedDemo(state: string): boolean {
  const marker = markerIn(state);
  if (!existsSync(marker) || isRunning(marker)) return false;
  for (const name of ['v3', 'migrated'])
    rmSync(join(state, name), { recursive: true, force: true });
  rmSync(marker, { force: true });
  return true;
}
