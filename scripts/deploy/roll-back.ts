import { DeployError, hostsOf, type Environment } from './environment.ts';
import { classesAmong, readAttachedHosts, readWorker, type Binding } from './facts.ts';
import { locate } from './locate.ts';
import { PlatformError, type Account } from './platform.ts';
import {
  earlierVersions,
  isRolledBack,
  readHistory,
  releaseBefore,
  runningVersion,
  type History,
  type Version,
} from './releases.ts';
import type { Tools } from './run-steps.ts';
import { readBaseConfig } from './worker-config.ts';

type Request = { environment: Environment; account: string | undefined };

/**
 * Routes all requests to an earlier version: `wanted`, or else the release before. The database
 * does not change.
 */
export async function rollBack(
  request: Request,
  wanted: string | undefined,
  tools: Tools,
): Promise<void> {
  const { environment } = request;
  const { account, names } = await locate(request, tools.platform, readBaseConfig());
  const { workerName } = names;
  const worker = await readWorker(account, names);
  if (worker === null || !worker.isOurs)
    throw new DeployError(`The environment ${environment.name} is not deployed.`);
  const history = await readHistory(account, workerName);
  const running = runningVersion(history);
  if (wanted === undefined && running !== undefined && isRolledBack(history)) {
    tools.print(`${workerName} is rolled back already and runs ${describe(running)}.`);
    const versions = listVersions(earlierVersions(history, running), environment);
    tools.print(
      versions === ''
        ? 'There is no earlier release.'
        : `To go back further, name a version:\n${versions}`,
    );
  } else {
    const target = findTarget(history, wanted, environment);
    if (running !== undefined) tools.print(`From: ${describe(running)}`);
    tools.print(`To:   ${describe(target)}`);
    await checkClasses(account, workerName, { running, target });
    await deployVersion(account, workerName, { running, target }, tools);
    tools.print(`${workerName} now runs ${target.release}.`);
  }
  tools.print('The database is unchanged: each release works on the schema of the next.');
  const vars = (await readWorker(account, names))?.vars ?? {};
  const hosts = hostsOf({ vars });
  const unknown = (await readAttachedHosts(account, workerName)).filter(
    (host) => !hosts.includes(host),
  );
  for (const host of unknown)
    tools.print(
      `${host} answers 421 now, because this version was uploaded before the host was added. A deployment whose settings name it serves it again.`,
    );
  const origin = vars['APP_ORIGIN'] ?? '';
  if (!(await tools.smoke(origin))) throw new DeployError(`The smoke test of ${origin} failed.`);
}

function findTarget(
  history: History,
  wanted: string | undefined,
  environment: Environment,
): Version {
  const target =
    wanted === undefined
      ? releaseBefore(history)
      : history.versions.find(({ id }) => id === wanted);
  if (target !== undefined) return target;
  const problem =
    wanted === undefined
      ? 'the platform lists no deployment of an earlier release. Name a version'
      : `there is no version ${wanted}. Name one of these`;
  throw new DeployError(
    `Nothing was changed: ${problem}:\n${listVersions(history.versions, environment)}`,
  );
}

/**
 * The platform deploys no version from before a Durable Object was added
 * (https://developers.cloudflare.com/workers/versions-and-deployments/gradual-deployments/with-durable-objects/).
 */
async function checkClasses(
  account: Account,
  workerName: string,
  { running, target }: { running: Version | undefined; target: Version },
): Promise<void> {
  if (running === undefined) return;
  const readClasses = async ({ id }: Version): Promise<string[]> => {
    const path = `/workers/scripts/${workerName}/versions/${id}`;
    const { resources } = await account.read<{ resources: { bindings?: Binding[] } }>(path);
    return classesAmong(resources.bindings ?? []);
  };
  const known = await readClasses(target);
  const missing = (await readClasses(running)).filter((name) => !known.includes(name));
  if (missing.length > 0)
    throw new DeployError(
      `Nothing was changed: ${target.release} does not have the Durable Object ${missing.join(', ')}, and the platform deploys no version from before one. docs/operations.md says under “Roll back” how to upload such a release again.`,
    );
}

const describe = ({ release, id, uploadedAt }: Version): string =>
  `${release} (version ${id}, uploaded ${uploadedAt})`;

/** Lists the newest version of each of the last ten releases. */
const listVersions = (versions: readonly Version[], { name }: Environment): string =>
  versions
    .filter(({ release }, at) => versions.findIndex((other) => other.release === release) === at)
    .slice(0, 10)
    .map(({ id, release }) => `  npm run deploy -- rollback ${id} --env ${name}   # ${release}`)
    .join('\n');

const SECRETS_CHANGED = 10220;

/** The platform refuses a version with other secrets unless the deployment is forced. */
async function deployVersion(
  account: Account,
  workerName: string,
  { running, target }: { running: Version | undefined; target: Version },
  { print }: Tools,
): Promise<void> {
  const path = `/workers/scripts/${workerName}/deployments`;
  const deployment = {
    strategy: 'percentage',
    versions: [{ version_id: target.id, percentage: 100 }],
    annotations: { 'workers/message': `Rolled back from ${running?.release ?? 'unknown'}` },
  };
  try {
    await account.write('POST', path, deployment);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== SECRETS_CHANGED) throw error;
    const names = /have changed: ([\w, ]+)/.exec(error.message)?.[1]?.trim() ?? 'some';
    print(
      `Secrets were changed since: ${names}. They have their earlier values again. Set them again as docs/operations.md says under “Rotate secrets”.`,
    );
    await account.write('POST', `${path}?force=true`, deployment);
  }
}
