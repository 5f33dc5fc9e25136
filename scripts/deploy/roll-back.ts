import { CONFIG } from '#scripts/shared/place.ts';
import { DeployError, type Environment } from './environment.ts';
import { readWorker } from './facts.ts';
import { locate } from './locate.ts';
import type { Tools } from './run-steps.ts';
import { readBaseConfig } from './worker-config.ts';

type Request = { environment: Environment; account: string | undefined };

/**
 * Routes all requests to an earlier version: `version`, or else the previous one. The database does
 * not change.
 */
export async function rollBack(
  request: Request,
  version: string | undefined,
  tools: Tools,
): Promise<void> {
  const { account, names } = await locate(request, tools.platform, readBaseConfig());
  const { workerName } = names;
  const worker = await readWorker(account, names);
  if (worker === null || !worker.isOurs)
    throw new DeployError(`The environment ${request.environment.name} is not deployed.`);
  const wanted = version === undefined ? [] : [version];
  const options = ['--name', workerName, '--yes', '--config', CONFIG, '--message', 'rolled back'];
  const output = await tools.wrangler(['rollback', ...wanted, ...options], {
    CLOUDFLARE_ACCOUNT_ID: account.id,
  });
  tools.print(
    `${workerName} now runs version ${/Current Version ID: (\S+)/.exec(output)?.[1] ?? version ?? 'before'}.`,
  );
  tools.print('The database is unchanged: each release works on the schema of the next.');
  const origin = worker.vars['APP_ORIGIN'] ?? '';
  if (!(await tools.smoke(origin))) throw new DeployError(`The smoke test of ${origin} failed.`);
}
