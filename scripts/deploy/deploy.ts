import {
  DeployError,
  hostsOf,
  readSettings,
  type Environment,
  type Settings,
} from './environment.ts';
import { readFacts, readWorker } from './facts.ts';
import { describeStep, isForUpgrades, planDeployment, type Target } from './plan.ts';
import type { Platform } from './platform.ts';
import { checkPreflight, checkSettings, settingsNotes } from './preflight.ts';
import { runSteps, type Tools } from './run-steps.ts';
import { readBaseConfig, resourcesOf, scopedName } from './worker-config.ts';

/** What the command line asks for. `vars` overrides the stored settings. */
export type Request = {
  environment: Environment;
  vars: Settings['vars'];
  account: string | undefined;
  percent: number;
  replacesDns: boolean;
};

/** Deploys an environment. Existing resources are reused, missing ones are created. */
export async function deploy(
  request: Request,
  tools: Tools,
  base = readBaseConfig(),
): Promise<void> {
  const { environment } = request;
  const stored = readSettings(environment);
  const account = await findAccount(tools.platform, request.account ?? stored?.account);
  const names = (given: Settings | null) => (name: string) =>
    scopedName(environment.name, given ?? {}, name);
  const question = {
    platform: tools.platform,
    account,
    workerName: names(stored)(base.name),
    resources: resourcesOf(base, names(stored)),
  };
  const known = stored ?? { vars: await readDeployedVars(question, base.vars) };
  const settings: Settings = { ...known, account, vars: { ...known.vars, ...request.vars } };
  refuse(checkSettings(settings));

  tools.print(`Environment ${environment.name}, account ${account}`);
  const facts = await readFacts(question, settings);
  const { problems, notes } = checkPreflight(
    question.workerName,
    settings,
    facts,
    request.replacesDns,
  );
  refuse(problems);
  for (const note of notes) tools.print(`Note: ${note}`);

  const origin = settings.vars['APP_ORIGIN'] ?? '';
  const target: Target = {
    ...question,
    origin,
    hosts: hostsOf(settings),
    percent: request.percent,
  };
  const steps = planDeployment(target, facts);
  await runSteps(steps, { ...target, environment, settings, account, base, ids: facts.ids }, tools);
  tools.print(`\n${origin} is deployed.`);
}

/**
 * Returns the variables of the deployed Worker that differ from wrangler.toml, for environments
 * that another machine has deployed. Empty before the first deployment.
 */
async function readDeployedVars(
  question: Parameters<typeof readWorker>[0],
  defaults: object,
): Promise<Settings['vars']> {
  const worker = await readWorker(question);
  if (worker === null || !worker.isOurs) return {};
  const known = new Map<string, unknown>(Object.entries(defaults));
  return Object.fromEntries(
    Object.entries(worker.vars).filter(
      ([name, value]) => known.has(name) && known.get(name) !== value,
    ),
  );
}

export async function findAccount(platform: Platform, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const accounts = await platform.list<{ id: string; name: string }>('/accounts');
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) return only.id;
  if (only === undefined)
    throw new DeployError('The login reaches no account. Name one with `--account ID`.');
  const listed = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new DeployError(
    `The login reaches several accounts. Choose one with \`--account ID\`:\n${listed}`,
  );
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0)
    throw new DeployError(
      `Nothing was changed:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
}

export function describePlan({
  environment,
  vars,
  percent,
}: Pick<Request, 'environment' | 'vars' | 'percent'>): string {
  const base = readBaseConfig();
  const stored = readSettings(environment);
  const settings: Settings = { ...stored, vars: { ...stored?.vars, ...vars } };
  const nameOf = (name: string): string => scopedName(environment.name, settings, name);
  const target: Target = {
    workerName: nameOf(base.name),
    origin: settings.vars['APP_ORIGIN'] ?? 'its address',
    hosts: checkSettings(settings).length > 0 ? [] : hostsOf(settings),
    resources: resourcesOf(base, nameOf),
    percent,
  };
  const lines = planDeployment(target, null).map((step, at) => {
    const text = `${String(at + 1).padStart(3)}  ${describeStep(step, target)}`;
    return isForUpgrades(step) ? `${text} (upgrades only)` : text;
  });
  const problems = checkSettings(settings).map((problem) => `  - ${problem}`);
  return [
    `Plan for the environment ${environment.name}. Nothing is asked or changed; what exists already is skipped.`,
    '',
    '     Check the login, the account’s plan, the domains and the names',
    ...lines,
    ...(problems.length > 0 ? ['', 'Before it can run:', ...problems] : []),
    ...settingsNotes(settings).map((note) => `\nNote: ${note}`),
  ].join('\n');
}
