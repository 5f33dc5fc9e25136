import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment } from '#scripts/deploy/environment.ts';
import { ROOT, stateDir } from '#scripts/place.ts';
import { withLocalEnv, withRemoteEnv, type RemoteEnv } from '#scripts/local-env.ts';

/**
 * Where a command works: on the local state, on a deployed environment, or on what a configuration
 * of wrangler names.
 */
export type Place = { remote?: boolean; env?: string; config?: string };

export const PLACE_OPTIONS = {
  remote: { type: 'boolean' },
  env: { type: 'string' },
  config: { type: 'string' },
} as const;

/**
 * `--env` names a deployed environment and `--config` another one, so each of them means
 * `--remote`.
 */
export const isRemote = ({ remote = false, env, config }: Place): boolean =>
  remote || env !== undefined || config !== undefined;

/**
 * The configuration of the deployment that was asked for. Throws if there is none on this machine.
 */
export function configOf({ env = 'production', config }: Place): string {
  const file = config === undefined ? environment(env).configFile : resolve(ROOT, config);
  if (existsSync(file)) return file;
  const hint =
    config === undefined
      ? ` Run \`npm run deploy -- --env ${env}\` on this machine, or name a file with --config.`
      : '';
  throw new Error(`There is no ${file}.${hint}`);
}

export type OpenStorage = (place: Place, work: (env: RemoteEnv) => Promise<void>) => Promise<void>;

export const withStorage: OpenStorage = (place, work) =>
  isRemote(place) ? withRemoteEnv(configOf(place), work) : withLocalEnv(stateDir(), work);

/** A path that was typed in the folder from which npm was called. */
export const typedPath = (path: string): string =>
  resolve(process.env['INIT_CWD'] ?? process.cwd(), path);

/**
 * Runs a command of this process. A message instead of a stack where something failed that its user
 * can act on.
 */
export async function runCommand(
  command: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
