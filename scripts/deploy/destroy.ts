import { readDeployedSettings } from './deployed-settings.ts';
import { DeployError, type Environment } from './environment.ts';
import { readWorker } from './facts.ts';
import { locate } from './locate.ts';
import type { Account } from './platform.ts';
import {
  attachedDomains,
  consumersOf,
  deleteResource,
  findResources,
  keyOf,
  WHAT_IT_IS,
} from './resources.ts';
import type { Tools } from './run-steps.ts';
import { namesOf, readBaseConfig, type Resource } from './worker-config.ts';

type Request = {
  environment: Environment;
  account: string | undefined;
  confirm: (name: string) => Promise<boolean>;
};

/**
 * Deletes an environment after its name was typed. The Worker goes first so that nothing writes
 * anymore, the database last.
 */
export async function destroy(request: Request, { platform, print }: Tools): Promise<void> {
  const { environment, confirm } = request;
  const base = readBaseConfig();
  const { stored, account, names, ownNames } = await locate(request, platform, base);
  const { workerName } = names;
  const worker = await readWorker(account, names);
  // Another machine may have added queues and databases, or chosen a jurisdiction.
  const deployed = await readDeployedSettings(account, names, base);
  const known = {
    ...(ownNames && { names: ownNames }),
    ...deployed,
    ...stored,
    shards: Math.max(deployed?.shards ?? 0, stored?.shards ?? 0),
    vars: { ...stored?.vars, ...deployed?.vars },
  };
  const { resources } = namesOf(base, environment, known);
  const ids = await findResources(account, resources);
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

  if (worker !== null) {
    await deleteWorker(account, workerName);
    print(`Deleted: Worker ${workerName}`);
  }
  for (const resource of existing.toReversed()) {
    const isDeleted = await deleteResource(account, resource, ids.get(keyOf(resource)) ?? '');
    print(
      isDeleted
        ? `Deleted: ${describe(resource)}`
        : `Kept: ${describe(resource)} still holds backups. Delete it in the dashboard.`,
    );
  }
  print(`The settings stay in ${environment.settingsFile}.`);
}

const describe = ({ kind, name }: Resource): string => `${WHAT_IT_IS[kind]} ${name}`;

/** The platform deletes no Worker that still consumes a queue, not even if it is forced to. */
async function deleteWorker(account: Account, workerName: string): Promise<void> {
  for (const path of await consumersOf(account, workerName)) await account.write('DELETE', path);
  for (const { id } of await attachedDomains(account, workerName))
    await account.write('DELETE', `/workers/domains/${id}`);
  await account.write('DELETE', `/workers/scripts/${workerName}?force=true`);
}
