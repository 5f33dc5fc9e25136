import { CONFIG } from '#scripts/shared/place.ts';
import { DeployError, readSettings, type Environment } from './environment.ts';
import { findAccount } from './deploy.ts';
import { readWorker } from './facts.ts';
import type { Tools } from './run-steps.ts';
import { readBaseConfig, resourcesOf, scopedName } from './worker-config.ts';

type Request = { environment: Environment; account: string | undefined };

/**
 * Routes all requests to an earlier version: `version`, or else the previous one. The database does
 * not change.
 */
export async function rollBack(
  { environment, account: given }: Request,
  version: string | undefined,
  tools: Tools,
): Promise<void> {
  const settings = readSettings(environment);
  const base = readBaseConfig();
  const nameOf = (name: string): string => scopedName(environment.name, settings ?? {}, name);
  const workerName = nameOf(base.name);
  const account = await findAccount(tools.platform, given ?? settings?.account);
  const question = {
    platform: tools.platform,
    account,
    workerName,
    resources: resourcesOf(base, nameOf),
  };
  const worker = await readWorker(question);
  if (worker === null || !worker.isOurs)
    throw new DeployError(`The environment ${environment.name} is not deployed.`);
  const args = [
    'rollback',
    ...(version === undefined ? [] : [version]),
    '--name',
    workerName,
    '--yes',
    '--config',
    CONFIG,
  ];
  const output = await tools.wrangler([...args, '--message', 'rolled back'], {
    CLOUDFLARE_ACCOUNT_ID: account,
  });
  tools.print(
    `${workerName} now runs version ${/Current Version ID: (\S+)/.exec(output)?.[1] ?? version ?? 'before'}.`,
  );
  tools.print('The database is unchanged: each release works on the schema of the next.');
  const origin = worker.vars['APP_ORIGIN'] ?? '';
  if (!(await tools.smoke(origin))) throw new DeployError(`The smoke test of ${origin} failed.`);
}
