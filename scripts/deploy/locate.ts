import { DeployError, readSettings, type Environment, type Settings } from './environment.ts';
import { accountOf, type Account, type Platform } from './platform.ts';
import { namesOf, type Names, type WorkerConfig } from './worker-config.ts';

/** An environment: its stored settings, its account, and its names there. */
export type Location = { stored: Settings | null; account: Account; names: Names };

/** Finds an environment. `account` is the id that the command line gives. */
export async function locate(
  { environment, account }: { environment: Environment; account: string | undefined },
  platform: Platform,
  base: WorkerConfig,
): Promise<Location> {
  const stored = readSettings(environment);
  const id = account ?? stored?.account ?? (await findOnlyAccount(platform));
  return { stored, account: accountOf(platform, id), names: namesOf(base, environment, stored) };
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
