import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESERVED } from '#contract/pages/reserved.ts';
import { explainR2 } from './access.ts';
import { createClaim } from './admin-claim.ts';
import { DeployError, writeSettings, type Environment, type Settings } from './environment.ts';
import { queryD1 } from './facts.ts';
import type { Network } from './network.ts';
import type { Account, Platform } from './platform.ts';
import { addToHistory, type HistoryEntry } from './release-history.ts';
import { storeReleaseAssets } from './release-assets.ts';
import { readHistory } from './releases.ts';
import { attachedDomains, createResource, keyOf } from './resources.ts';
import { firstSecrets } from './secret-file.ts';
import { HOST_READY_MS, waitForHosts, type HostAddress } from './wait-for-hosts.ts';
import { workerConfig, type Names, type Resource, type WorkerConfig } from './worker-config.ts';

/** The tools of the steps. `wrangler` resolves to its output and throws if it fails. */
export type Tools = {
  platform: Platform;
  wrangler: (args: readonly string[], env?: Record<string, string>) => Promise<string>;
  network: Network;
  /** Builds the pages if they are not up to date, and resolves to their folder. */
  build: () => Promise<string>;
  /** Bundles the Worker, and resolves to the file to upload. */
  bundle: () => Promise<string>;
  /** Resolves to true if the product at `origin` passes its smoke test. */
  smoke: (origin: string) => Promise<boolean>;
  print: (line: string) => void;
  now: () => number;
  /** The deployed revision, shown in the list of versions. */
  revision: string;
  /** True if others can read the output, for example in the log of a workflow. */
  isLogged: boolean;
};

/** A running deployment. `ids` grows as resources are created. */
export type Deployment = Names & {
  environment: Environment;
  settings: Settings;
  account: Account;
  base: WorkerConfig;
  ids: Map<string, string>;
};

type Run = (deployment: Deployment, tools: Tools) => Promise<void>;

/**
 * A step of a deployment. Every step is idempotent, because an interrupted deployment starts again.
 * `isForUpgrades` marks those that a first deployment does not need.
 */
export type Step = { text: string; isForUpgrades?: boolean; run: Run };

export async function runSteps(
  steps: readonly Step[],
  deployment: Deployment,
  tools: Tools,
): Promise<void> {
  for (const [at, { text, run }] of steps.entries()) {
    tools.print(`${at + 1}/${steps.length}  ${text}`);
    await run(deployment, tools);
  }
}

export const createMissing =
  (resource: Resource): Run =>
  async ({ account, ids }) =>
    void ids.set(keyOf(resource), await createResource(account, resource));

export const storeSettings: Run = async ({ environment, settings }) =>
  writeSettings(environment, settings);

export const writeConfiguration: Run = async ({ environment, settings, base, ids }) => {
  const config = workerConfig(base, environment.name, settings, (resource) =>
    ids.get(keyOf(resource)),
  );
  writeFileSync(environment.configFile, `${JSON.stringify(config, null, 2)}\n`);
};

export const applyMigrations: Run = async ({ environment, base }, { wrangler }) => {
  for (const { binding } of base.d1_databases) {
    const options = ['--remote', '--config', environment.configFile];
    await wrangler(['d1', 'migrations', 'apply', binding, ...options]);
  }
};

export const checkRunningRelease =
  (origin: string): Run =>
  async (_, { smoke }) => {
    if (await smoke(origin)) return;
    throw new DeployError(
      'The running release fails its smoke test on the migrated database, so nothing was uploaded. Run the command again to upload this release anyway, or go back to the restore point.',
    );
  };

/**
 * Waits for the hosts and runs the smoke test. A host that cannot be reached yet fails only an
 * installation that was reachable before: `isNew` is true for the others.
 */
export const smokeTest =
  (origin: string, hosts: readonly HostAddress[], isNew: boolean): Run =>
  async ({ environment, workerName }, { smoke, network, now, print }) => {
    const missing = await waitForHosts(hosts, network, now);
    if (missing.length > 0) {
      const advice = notReachable(missing, origin, workerName);
      if (!isNew) throw new DeployError(advice);
      return print(advice);
    }
    if (await smoke(origin)) return;
    throw new DeployError(
      `The smoke test of ${origin} failed. The release is deployed; \`npm run deploy -- rollback --env ${environment.name}\` returns to the one before.`,
    );
  };

const notReachable = (hosts: readonly string[], origin: string, workerName: string): string =>
  `${hosts.join(' and ')} cannot be reached yet, ${HOST_READY_MS / 60_000} minutes after the upload. The release is deployed. A new host needs a certificate, which takes up to a quarter of an hour, and resolvers that were asked before it existed need up to half an hour.
Look at https://dash.cloudflare.com/?to=/:account/workers/services/view/${workerName}/production/domains, and when it is active, run: npm run smoke -- ${origin}`;

function databaseOf({ resources, ids }: Deployment): { id: string; name: string } {
  const database = resources.find(({ kind }) => kind === 'd1');
  return { id: (database && ids.get(keyOf(database))) ?? '', name: database?.name ?? '' };
}

export const noteRestorePoint: Run = async (deployment, { print, now, revision }) => {
  const { environment, account } = deployment;
  const { id, name } = databaseOf(deployment);
  const { bookmark } = await account.read<{ bookmark: string }>(
    `/d1/database/${id}/time_travel/bookmark`,
  );
  const entry = { at: new Date(now()).toISOString(), bookmark, deploys: revision };
  await note(deployment, print, entry);
  print(
    `     npx wrangler d1 time-travel restore ${name} --bookmark ${bookmark} --config ${environment.configFile}`,
  );
};

async function note(
  { account, resources, environment }: Deployment,
  print: Tools['print'],
  entry: HistoryEntry,
): Promise<void> {
  if (!(await addToHistory(account, resources, environment, entry)))
    print(`     The bucket’s history could not be written; ${environment.historyFile} has it.`);
}

export const noteRelease =
  (percent: number): Run =>
  (deployment, { print, now, revision }) =>
    note(deployment, print, { at: new Date(now()).toISOString(), released: revision, percent });

/** Lists links whose alias is now reserved. They continue to redirect. */
export const listReserved: Run = async (deployment, { print }) => {
  const { id } = databaseOf(deployment);
  // Three spellings are compared instead of all, so that the query uses the index.
  const words = [...RESERVED].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]);
  const rows = await queryD1<{ code: string }>(deployment.account, id, SELECT_RESERVED, [
    JSON.stringify(words),
  ]);
  for (const { code } of rows) print(`     /${code}`);
};

const SELECT_RESERVED = `SELECT code FROM links WHERE status <> 'deleted'
  AND (code IN (SELECT value FROM json_each(?1)) OR (code >= '_' AND code < '\`')) ORDER BY code LIMIT 200`;

export const upload =
  ({
    makesSecret,
    secretFile,
    percent,
  }: {
    makesSecret: boolean;
    secretFile: string | undefined;
    percent: number;
  }): Run =>
  async ({ environment, account, workerName }, { wrangler, bundle, revision }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hop-deploy-'));
    const config = ['--config', environment.configFile];
    try {
      const args = [await bundle(), ...config, '--tag', revision, '--message', revision];
      if (makesSecret) {
        const file = join(folder, 'secrets.json');
        writeFileSync(file, JSON.stringify(firstSecrets(secretFile)), { mode: 0o600 });
        args.push('--secrets-file', file);
      }
      if (percent >= 100) {
        await explainR2(wrangler(['deploy', ...args]));
        return;
      }
      const report = join(folder, 'report.ndjson');
      const [[running] = []] = (await readHistory(account, workerName)).deployments;
      await explainR2(
        wrangler(['versions', 'upload', ...args], { WRANGLER_OUTPUT_FILE_PATH: report }),
      );
      const split = [`${uploadedVersion(report)}@${percent}%`, `${running?.id}@${100 - percent}%`];
      await wrangler(['versions', 'deploy', ...split, '--yes', ...config]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

/** wrangler detaches none if the settings name no custom domain. */
export const detachHosts =
  (hosts: readonly string[]): Run =>
  async ({ account, workerName }) => {
    for (const { id, hostname } of await attachedDomains(account, workerName))
      if (hosts.includes(hostname)) await account.write('DELETE', `/workers/domains/${id}`);
  };

/** Makes the files of the pages available to every version, before the upload. */
export const storeAssets: Run = async ({ account, resources, ids }, { build, now }) => {
  const links = resources.find(({ kind }) => kind === 'kv');
  const namespace = links && ids.get(keyOf(links));
  if (namespace !== undefined) await storeReleaseAssets(account, namespace, await build(), now());
};

/** Returns the version that wrangler's output reports. */
function uploadedVersion(report: string): string {
  const entries = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line): { type: string; version_id?: string } => JSON.parse(line));
  const id = entries.find(({ type }) => type === 'version-upload')?.version_id;
  if (id === undefined) throw new DeployError('wrangler did not say which version it uploaded.');
  return id;
}

export const printClaim =
  (origin: string): Run =>
  async (deployment, { print, now, isLogged }) => {
    if (isLogged) {
      print(
        `     Not here, because others may read this log. Give the Worker a secret ADMIN_CLAIM, or run on a machine: npm run admin -- claim --env ${deployment.environment.name}`,
      );
      return;
    }
    const { id } = databaseOf(deployment);
    const claim = createClaim(now());
    for (const statement of claim.statements) await queryD1(deployment.account, id, statement);
    print(`     ${origin}${claim.path}`);
    print('     The account that opens it within an hour becomes an administrator. It works once.');
  };
