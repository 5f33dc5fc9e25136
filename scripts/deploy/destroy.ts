import { findAccount } from './deploy.ts';
import { DeployError, readSettings, type Environment } from './environment.ts';
import { readWorker } from './facts.ts';
import { deleteResource, findResources, keyOf, WHAT_IT_IS } from './resources.ts';
import type { Tools } from './run-steps.ts';
import { readBaseConfig, resourcesOf, scopedName, type Resource } from './worker-config.ts';

type Request = {
  environment: Environment;
  account: string | undefined;
  confirm: (name: string) => Promise<boolean>;
};

/**
 * Deletes an environment after its name was typed. The Worker goes first so that nothing writes
 * anymore, the database last.
 */
export async function destroy(
  { environment, account: given, confirm }: Request,
  { platform, print }: Tools,
): Promise<void> {
  const stored = readSettings(environment);
  const base = readBaseConfig();
  const nameOf = (name: string): string => scopedName(environment.name, stored ?? {}, name);
  const account = await findAccount(platform, given ?? stored?.account);
  const workerName = nameOf(base.name);
  const resources = resourcesOf(base, nameOf);
  const ids = await findResources(platform, account, resources);
  const worker = await readWorker({ platform, account, workerName, resources });
  if (worker !== null && !worker.isOurs)
    throw new DeployError(
      `Nothing was deleted: the Worker ${workerName} does not use this environment’s database.`,
    );
  const existing = resources.filter((resource) => ids.has(keyOf(resource)));
  if (worker === null && existing.length === 0)
    throw new DeployError(`There is no environment ${environment.name}.`);

  print(
    `This deletes the environment ${environment.name} for good, with every link and account in it:`,
  );
  if (worker !== null) print(`  Worker ${workerName}, with its domains and secrets`);
  for (const resource of existing) print(`  ${describe(resource)}`);
  if (!(await confirm(environment.name)))
    throw new DeployError('Nothing was deleted: the name does not match.');

  if (worker !== null) await deleteWorker(platform, account, workerName);
  for (const resource of existing.toReversed()) {
    const isDeleted = await deleteResource(
      platform,
      account,
      resource,
      ids.get(keyOf(resource)) ?? '',
    );
    print(
      isDeleted
        ? `Deleted: ${describe(resource)}`
        : `Kept: ${describe(resource)} still holds backups. Delete it in the dashboard.`,
    );
  }
  print(`The settings stay in ${environment.settingsFile}.`);
}

const describe = ({ kind, name }: Resource): string => `${WHAT_IT_IS[kind]} ${name}`;

async function deleteWorker(
  platform: Tools['platform'],
  account: string,
  workerName: string,
): Promise<void> {
  const domains = await platform.list<{ id: string; service: string }>(
    `/accounts/${account}/workers/domains`,
  );
  for (const { id } of domains.filter(({ service }) => service === workerName))
    await platform.write('DELETE', `/accounts/${account}/workers/domains/${id}`);
  // Forced, because the Worker consumes the queues.
  await platform.write('DELETE', `/accounts/${account}/workers/scripts/${workerName}?force=true`);
}
