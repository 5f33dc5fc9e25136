import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readDeployedSettings } from './deployed-settings.ts';
import { DeployError, writeSettings, type Environment } from './environment.ts';
import { locate } from './locate.ts';
import { readHistoryLines } from './release-history.ts';
import { findResources, keyOf } from './resources.ts';
import type { Tools } from './run-steps.ts';
import { namesOf, readBaseConfig, workerConfig } from './worker-config.ts';

type Request = { environment: Environment; account: string | undefined };

/**
 * Writes the files of an environment that another machine has deployed: its settings, wrangler's
 * configuration and the history. Changes nothing on the platform, and no settings that exist.
 */
export async function pull(request: Request, { platform, print }: Tools): Promise<void> {
  const { environment } = request;
  const base = readBaseConfig();
  const { stored, account, names } = await locate(request, platform, base);
  const deployed = await readDeployedSettings(account, names, base);
  if (deployed === null)
    throw new DeployError(`The environment ${environment.name} is not deployed.`);
  const settings = stored ?? deployed;
  const { resources } = namesOf(base, environment, settings);
  const ids = await findResources(account, resources);
  const missing = resources.filter((resource) => !ids.has(keyOf(resource)));
  if (missing.length > 0)
    throw new DeployError(
      `The account lacks ${missing.map(keyOf).join(', ')}. \`npm run deploy\` creates what is missing.`,
    );
  const config = workerConfig(base, environment.name, settings, (one) => ids.get(keyOf(one)));
  mkdirSync(dirname(environment.configFile), { recursive: true });
  if (stored === null) writeSettings(environment, settings);
  writeFileSync(environment.configFile, `${JSON.stringify(config, null, 2)}\n`);
  const history = await readHistoryLines(account, resources, environment);
  if (history.length > 0)
    writeFileSync(environment.historyFile, history.map((line) => `${line}\n`).join(''));
  print(`Wrote the files of ${environment.name} to ${dirname(environment.configFile)}:`);
  if (stored === null) print(`  ${environment.settingsFile}`);
  print(`  ${environment.configFile}`);
  if (history.length > 0) print(`  ${environment.historyFile}`);
}
