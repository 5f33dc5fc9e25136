import { CONFIG } from '#scripts/shared/place.ts';
import { DeployError, type Environment } from './environment.ts';
import { readWorker } from './facts.ts';
import { locate } from './locate.ts';
import type { Account } from './platform.ts';
import type { Tools } from './run-steps.ts';
import { readBaseConfig } from './worker-config.ts';

type Request = { environment: Environment; account: string | undefined };

const ROLLED_BACK = 'rolled back';

/**
 * Routes all requests to an earlier version: `version`, or else the release before the running one.
 * The database does not change.
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
  const { running, wanted } = await chooseVersions(account, workerName, version);
  tools.print(`${workerName} goes back from ${describe(running)} to ${describe(wanted)}.`);
  const options = ['--name', workerName, '--yes', '--config', CONFIG, '--message', ROLLED_BACK];
  await tools.wrangler(['rollback', wanted.id, ...options], {
    CLOUDFLARE_ACCOUNT_ID: account.id,
  });
  tools.print('The database is unchanged: each release works on the schema of the next.');
  tools.print(
    `To change a secret before the next release, first upload this one again: \`git checkout ${wanted.release}\`, \`npm ci\`, \`npm run deploy\`.`,
  );
  const origin = worker.vars['APP_ORIGIN'] ?? '';
  if (!(await tools.smoke(origin))) throw new DeployError(`The smoke test of ${origin} failed.`);
}

type Listed = {
  id: string;
  number: number;
  metadata: { created_on: string };
  annotations?: { 'workers/tag'?: string };
};
/** `release` is the revision of the code. A change of a secret makes a version of its own. */
type Version = Listed & { release: string };
type Deployment = {
  annotations?: { 'workers/message'?: string };
  versions: { version_id: string; percentage: number }[];
};

const describe = ({ id, release, metadata }: Version): string =>
  `release ${release} (version ${id}, uploaded ${metadata.created_on.slice(0, 16).replace('T', ' ')} UTC)`;

async function chooseVersions(
  account: Account,
  workerName: string,
  version: string | undefined,
): Promise<{ running: Version; wanted: Version }> {
  const path = `/workers/scripts/${workerName}`;
  const { items } = await account.read<{ items: Listed[] }>(`${path}/versions?deployable=true`);
  const { deployments } = await account.read<{ deployments: Deployment[] }>(`${path}/deployments`);
  const versions = withReleases(items);
  const live = deployments[0]?.versions ?? [];
  const running = versions.findLast(({ id }) => live.some(({ version_id }) => version_id === id));
  if (running === undefined) throw new DeployError(`${workerName} runs no version that is listed.`);
  if (version !== undefined) {
    const wanted = versions.find(({ id }) => id === version);
    if (wanted === undefined)
      throw new DeployError(`${workerName} has no version ${version} to return to.`);
    return { running, wanted };
  }
  if (deployments[0]?.annotations?.['workers/message'] === ROLLED_BACK)
    throw new DeployError(
      `Nothing was changed: ${workerName} already went back to ${describe(running)}. Name a version to go back further. The database may no longer fit it.`,
    );
  const wholly = new Set(
    deployments.flatMap(({ versions: split }) =>
      split.filter(({ percentage }) => percentage === 100).map(({ version_id }) => version_id),
    ),
  );
  // An earlier release that was uploaded again must not lead back to the one that it replaced.
  const firstOfRelease = versions.findIndex(({ release }) => release === running.release);
  const wanted = versions.slice(0, firstOfRelease).findLast(({ id }) => wholly.has(id));
  if (wanted === undefined)
    throw new DeployError(
      `Nothing was changed: no release before ${describe(running)} is known. Name a version: \`npm run deploy -- rollback VERSION\`.`,
    );
  return { running, wanted };
}

/**
 * Returns the versions in the order of their upload. A version without a tag changes a secret of
 * the version before it.
 */
function withReleases(items: readonly Listed[]): Version[] {
  let release = 'without a name';
  return items
    .toSorted((a, b) => a.number - b.number)
    .map((version) => {
      release = version.annotations?.['workers/tag'] ?? release;
      return Object.assign(version, { release });
    });
}
