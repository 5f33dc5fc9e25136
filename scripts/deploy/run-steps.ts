import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RESERVED } from '#contract/reserved.ts';
import { createClaim } from './admin-claim.ts';
import { DeployError, writeSettings, type Environment, type Settings } from './environment.ts';
import { queryD1 } from './facts.ts';
import { describeStep, type Step, type Target } from './plan.ts';
import type { Platform } from './platform.ts';
import { createResource, keyOf } from './resources.ts';
import { workerConfig, type WorkerConfig } from './worker-config.ts';

/** The tools of the steps. `wrangler` resolves to its output and throws if it fails. */
export type Tools = {
  platform: Platform;
  wrangler: (args: readonly string[], env?: Record<string, string>) => Promise<string>;
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
export type Deployment = Target & {
  environment: Environment;
  settings: Settings;
  account: string;
  base: WorkerConfig;
  ids: Map<string, string>;
};

export async function runSteps(
  steps: readonly Step[],
  deployment: Deployment,
  tools: Tools,
): Promise<void> {
  for (const [at, step] of steps.entries()) {
    tools.print(`${at + 1}/${steps.length}  ${describeStep(step, deployment)}`);
    await runStep(step, deployment, tools);
  }
}

async function runStep(step: Step, deployment: Deployment, tools: Tools): Promise<void> {
  const { environment, settings, account, ids, base, origin } = deployment;
  switch (step.kind) {
    case 'create':
      ids.set(keyOf(step.resource), await createResource(tools.platform, account, step.resource));
      return;
    case 'configure': {
      writeSettings(environment, settings);
      const config = workerConfig(base, environment.name, settings, (resource) =>
        ids.get(keyOf(resource)),
      );
      writeFileSync(environment.configFile, `${JSON.stringify(config, null, 2)}\n`);
      return;
    }
    case 'restore-point':
      return noteRestorePoint(deployment, tools);
    case 'migrate':
      for (const { binding } of base.d1_databases)
        await tools.wrangler([
          'd1',
          'migrations',
          'apply',
          binding,
          '--remote',
          '--config',
          environment.configFile,
        ]);
      return;
    case 'check-running':
      if (await tools.smoke(origin)) return;
      throw new DeployError(
        'The running release fails its smoke test on the migrated database, so nothing was uploaded. Run the command again to upload this release anyway, or go back to the restore point.',
      );
    case 'list-reserved':
      return listReserved(deployment, tools);
    case 'upload':
      return upload(step, deployment, tools);
    case 'smoke':
      if (await tools.smoke(origin)) return;
      throw new DeployError(
        `The smoke test of ${origin} failed. The release is deployed; \`npm run deploy -- rollback --env ${environment.name}\` returns to the one before.`,
      );
    case 'claim':
      return printClaim(deployment, tools);
  }
}

function databaseOf({ resources, ids }: Deployment): { id: string; name: string } {
  const database = resources.find(({ kind }) => kind === 'd1');
  return { id: (database && ids.get(keyOf(database))) ?? '', name: database?.name ?? '' };
}

async function noteRestorePoint(
  deployment: Deployment,
  { platform, print, now, revision }: Tools,
): Promise<void> {
  const { environment, account } = deployment;
  const { id, name } = databaseOf(deployment);
  const { bookmark } = await platform.read<{ bookmark: string }>(
    `/accounts/${account}/d1/database/${id}/time_travel/bookmark`,
  );
  const entry = { at: new Date(now()).toISOString(), bookmark, deploys: revision };
  mkdirSync(dirname(environment.historyFile), { recursive: true });
  appendFileSync(environment.historyFile, `${JSON.stringify(entry)}\n`);
  print(
    `     npx wrangler d1 time-travel restore ${name} --bookmark ${bookmark} --config ${environment.configFile}`,
  );
}

/** Lists links whose alias is now reserved. They continue to redirect. */
async function listReserved(deployment: Deployment, { platform, print }: Tools): Promise<void> {
  const { id } = databaseOf(deployment);
  // Three spellings are compared instead of all, so that the query uses the index.
  const words = [...RESERVED].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]);
  const rows = await queryD1<{ code: string }>(platform, deployment.account, id, SELECT_RESERVED, [
    JSON.stringify(words),
  ]);
  for (const { code } of rows) print(`     /${code}`);
}

const SELECT_RESERVED = `SELECT code FROM links WHERE status <> 'deleted'
  AND (code IN (SELECT value FROM json_each(?1)) OR (code >= '_' AND code < '\`')) ORDER BY code LIMIT 200`;

async function upload(
  step: Extract<Step, { kind: 'upload' }>,
  deployment: Deployment,
  tools: Tools,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hop-deploy-'));
  const { environment, account, workerName } = deployment;
  try {
    const args = ['--config', environment.configFile, '--message', tools.revision];
    if (step.makesSecret) {
      const file = join(folder, 'secrets.json');
      writeFileSync(file, JSON.stringify({ AUTH_SECRET: randomBytes(32).toString('base64url') }), {
        mode: 0o600,
      });
      args.push('--secrets-file', file);
    }
    if (step.percent >= 100) {
      await tools.wrangler(['deploy', ...args]);
      return;
    }
    const report = join(folder, 'report.ndjson');
    const running = await runningVersion(tools.platform, account, workerName);
    await tools.wrangler(['versions', 'upload', ...args], { WRANGLER_OUTPUT_FILE_PATH: report });
    const split = [
      `${uploadedVersion(report)}@${step.percent}%`,
      `${running}@${100 - step.percent}%`,
    ];
    await tools.wrangler([
      'versions',
      'deploy',
      ...split,
      '--yes',
      '--config',
      environment.configFile,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type WorkerDeployments = {
  deployments: { versions: { version_id: string; percentage: number }[] }[];
};

async function runningVersion(
  platform: Platform,
  account: string,
  workerName: string,
): Promise<string> {
  const path = `/accounts/${account}/workers/scripts/${workerName}/deployments`;
  const { deployments } = await platform.read<WorkerDeployments>(path);
  const versions = deployments[0]?.versions ?? [];
  return versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id ?? '';
}

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

async function printClaim(
  deployment: Deployment,
  { platform, print, now, isLogged }: Tools,
): Promise<void> {
  if (isLogged) {
    print(
      `     Not here, because others may read this log. On a machine: npm run admin -- claim --env ${deployment.environment.name}`,
    );
    return;
  }
  const { id } = databaseOf(deployment);
  const claim = createClaim(now());
  for (const statement of claim.statements)
    await queryD1(platform, deployment.account, id, statement);
  print(`     ${deployment.origin}${claim.path}`);
  print('     The account that opens it within an hour becomes an administrator. It works once.');
}
