import { resolve } from 'node:path';
import { CONFIG, ROOT, stateDir } from '#scripts/place.ts';
import { withLocalEnv, withRemoteEnv, type RemoteEnv } from '#scripts/local-env.ts';

/** Where a command works: on the local state, or on the deployment of a wrangler configuration. */
export type Place = { remote?: boolean; config?: string };

export const PLACE_OPTIONS = { remote: { type: 'boolean' }, config: { type: 'string' } } as const;

export const withStorage = <T>({ remote = false, config = CONFIG }: Place, work: (env: RemoteEnv) => Promise<T>): Promise<T> =>
  remote ? withRemoteEnv(resolve(ROOT, config), work) : withLocalEnv(stateDir(), work);

/** A path that was typed in the folder from which npm was called. */
export const typedPath = (path: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

/** Runs a command. A message instead of a stack where something failed that its user can act on. */
export async function runCommand(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
