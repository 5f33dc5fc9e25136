import type { Request } from './request.ts';
import { DeployError, readSettings, type Settings } from './environment.ts';
import { accountOf, type Account, type Platform } from './platform.ts';
import { namesOf, type Names, type WorkerConfig } from './worker-config.ts';
import { readOwnNames } from './workers-builds.ts';

/** An environment: its stored settings, its account, and its names there. */
export type Location = {
  stored: Settings | null;
  account: Account;
  names: Names;
  /** The names in wrangler.toml, if they are this environment's and no settings are stored. */
  ownNames: Settings['names'];
};

/** Finds an environment. `account` is the id that the command line gives. */
export async function locate(
  { environment, account: given, build }: Pick<Request, 'environment' | 'account' | 'build'>,
  platform: Platform,
  base: WorkerConfig,
): Promise<Location> {
  const stored = readSettings(environment);
  const id = given ?? stored?.account ?? (await findOnlyAccount(platform));
  const account = accountOf(platform, id);
  const ownNames = stored ? undefined : await readOwnNames(account, environment, base, build);
  const names = namesOf(
    base,
    environment,
    stored ?? (ownNames ? { names: ownNames, vars: {} } : null),
  );
  return { stored, account, names, ownNames };
}

async function findOnlyAccount(platform: Platform): Promise<string> {
  const accounts = await platform.list<{ id: string; name: string }>('/accounts');
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) return only.id;
  if (only === undefined)
    throw new DeployError('The login reaches no account. Name one with `--account ID`.');
  const listed = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new DeployError(
    `The login reaches several accounts. Choose one with \`--account ID\`:\n${listed}`,
  );
}
