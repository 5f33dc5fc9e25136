import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment } from '#scripts/deploy/environment.ts';
import { ROOT, stateDir } from '#scripts/shared/place.ts';
import { withLocalEnv, withRemoteEnv, type RemoteEnv } from '#scripts/shared/local-env.ts';

/**
 * The state that a command works on: local, a deployed environment, or the databases of a wrangler
 * configuration.
 */
export type Place = { remote?: boolean; env?: string; config?: string };

export const PLACE_OPTIONS = {
  remote: { type: 'boolean' },
  env: { type: 'string' },
  config: { type: 'string' },
} as const;

/** Both `--env` and `--config` name a deployment, so each of them implies `--remote`. */
export const isRemote = ({ remote = false, env, config }: Place): boolean =>
  remote || env !== undefined || config !== undefined;

/** Returns the configuration file of the deployment. Throws if it is not on this machine. */
export function configOf({ env = 'production', config }: Place): string {
  const file = config === undefined ? environment(env).configFile : resolve(ROOT, config);
  if (existsSync(file)) return file;
  const hint =
    config === undefined
      ? ` \`npm run deploy -- pull --env ${env}\` writes it and changes nothing; --config names another file.`
      : '';
  throw new Error(`There is no ${file}.${hint}`);
}

export type OpenStorage = (place: Place, work: (env: RemoteEnv) => Promise<void>) => Promise<void>;

export const withStorage: OpenStorage = (place, work) =>
  isRemote(place) ? withRemoteEnv(configOf(place), work) : withLocalEnv(stateDir(), work);

/** Runs a command. Failures that the user can fix print a message without a stack. */
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
