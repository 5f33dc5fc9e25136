import { VARIABLES } from '#scripts/generate/configuration.ts';
import { DeployError, isSignInHosted, type Environment, type Settings } from './environment.ts';
import type { Account } from './platform.ts';
import { resourcesOf, type WorkerConfig } from './worker-config.ts';

/**
 * A build of Workers Builds, which the Deploy to Cloudflare button sets up and every push starts
 * (https://developers.cloudflare.com/workers/ci-cd/builds/configuration/#default-variables).
 */
export type Build = {
  /**
   * The Worker that the repository is connected to. wrangler deploys to no other
   * (`mergeSharedConfigArgs` in its source).
   */
  workerName: string | undefined;
};

export const IN_A_BUILD =
  'Note: This is a build. Change variables in wrangler.toml and push. Options that a message names belong to the deploy command, in the Worker’s Settings → Build.';
export const NO_MAIL_YET =
  'Note: No mail can be sent without MAIL_FROM, so accounts are accepted without a confirmed address (AUTH_AUTOCONFIRM=on).';

export const readBuild = (env: Readonly<Record<string, string | undefined>>): Build | undefined =>
  env['WORKERS_CI'] ? { workerName: env['WRANGLER_CI_OVERRIDE_NAME'] } : undefined;

/** Returns the configuration with the name of the Worker that the build may deploy. */
export const inBuild = (base: WorkerConfig, build: Build | undefined): WorkerConfig =>
  build?.workerName === undefined ? base : { ...base, name: build.workerName };

/** The id of the database in wrangler.toml until the button writes that of a real one. */
const NO_DATABASE = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the names of the Worker and its resources where wrangler.toml itself holds them: in a
 * build, and in any clone of a repository that the button has made. Undefined elsewhere.
 */
export async function readOwnNames(
  account: Account,
  { name }: Pick<Environment, 'name'>,
  base: WorkerConfig,
  build: Build | undefined,
): Promise<Settings['names']> {
  const isMadeByButton = ![undefined, NO_DATABASE].includes(base.d1_databases[0]?.database_id);
  if (name !== 'production' || (build === undefined && !isMadeByButton)) return undefined;
  checkQueues(base);
  const namespaces = await account.list<{ id: string; title: string }>('/storage/kv/namespaces');
  const nameOf = (given: string): string =>
    namespaces.find(({ id }) => id === given)?.title ?? given;
  return Object.fromEntries([
    [base.name, base.name],
    ...resourcesOf(base, (given) => given).map((resource) => [
      resource.name,
      resource.kind === 'kv' ? nameOf(resource.name) : resource.name,
    ]),
  ]);
}

/**
 * The form lets the deployer rename a queue. One that nothing consumes loses its messages, and the
 * Worker tells its queues apart by how their names end (worker/index.ts).
 */
function checkQueues({ queues: { producers, consumers } }: WorkerConfig): void {
  for (const { queue } of producers)
    if (!queue || !consumers.some((consumer) => consumer.queue === queue))
      throw new DeployError(
        `wrangler.toml sends messages to the queue "${queue ?? ''}", and no consumer there has this name. Give both the same name and push.`,
      );
  const webhooks = producers.find(({ binding }) => binding === 'WEBHOOKS')?.queue;
  const isDead = (queue: string) => consumers.some((one) => one.dead_letter_queue === queue);
  for (const { queue } of consumers) {
    const ending = queue === webhooks ? '-webhooks' : isDead(queue) ? '-dead' : '';
    const found = /-(?:webhooks|dead)$/.exec(queue)?.[0] ?? '';
    if (found === ending) continue;
    const rule = ending === '' ? `must not end with ${found}` : `must end with ${ending}`;
    throw new DeployError(`The queue "${queue}" ${rule}. Rename it in wrangler.toml and push.`);
  }
}

/**
 * Returns the variables of a deployment whose repository is its configuration: those of
 * wrangler.toml that differ from the defaults, and what is deployed for those that are empty there.
 */
export function repositoryVars(
  inFile: Settings['vars'],
  deployed: Settings['vars'],
): Settings['vars'] {
  return Object.fromEntries(
    VARIABLES.flatMap((variable): [string, string][] => {
      const value = inFile[variable.name] || (deployed[variable.name] ?? '');
      const isDefault = value === ('value' in variable ? variable.value : '');
      return isDefault ? [] : [[variable.name, value]];
    }),
  );
}

/**
 * Adds what the form need not ask for: the address on workers.dev, and sign-ups without a mail
 * where none can be sent.
 */
export async function withTrialDefaults(
  account: Account,
  workerName: string,
  vars: Settings['vars'],
): Promise<Settings['vars']> {
  const origin = vars['APP_ORIGIN'] ?? (await workersDevOrigin(account, workerName));
  const needsMail = !vars['MAIL_FROM'] && !isSignInHosted(vars);
  return {
    ...vars,
    APP_ORIGIN: origin,
    ...(needsMail && { AUTH_AUTOCONFIRM: 'on' }),
  };
}

async function workersDevOrigin(account: Account, workerName: string): Promise<string> {
  const own = await account.readOrNull<{ subdomain: string }>('/workers/subdomain');
  if (own !== null) return `https://${workerName}.${own.subdomain}.workers.dev`;
  throw new DeployError(
    'The account has no workers.dev subdomain. Choose one at https://dash.cloudflare.com/?to=/:account/workers/subdomain, or set APP_ORIGIN in wrangler.toml, and run the build again.',
  );
}
