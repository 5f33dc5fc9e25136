import { checkAccess } from './access.ts';
import { changeHosts, DeployError, hostsOf, readSettings, type Settings } from './environment.ts';
import { readFacts } from './facts.ts';
import { readDeployedSettings } from './deployed-settings.ts';
import { locate } from './locate.ts';
import { planDeployment, type Target } from './plan.ts';
import { checkPreflight, checkSettings, checkStaged, settingsNotes } from './preflight.ts';
import type { Request } from './request.ts';
import { runSteps, type Tools } from './run-steps.ts';
import { classesOf, namesOf, readBaseConfig, withShards } from './worker-config.ts';
import { readSecretFile } from './secret-file.ts';
import {
  IN_A_BUILD,
  inBuild,
  NO_MAIL_YET,
  repositoryVars,
  withTrialDefaults,
} from './workers-builds.ts';

/** Deploys an environment. Existing resources are reused, missing ones are created. */
export async function deploy(
  request: Request,
  tools: Tools,
  config = readBaseConfig(),
): Promise<void> {
  const { environment, percent, secretFile } = request;
  if (secretFile !== undefined) readSecretFile(secretFile);
  const given = inBuild(config, request.build);
  const place = await locate(request, tools.platform, given);
  const { account, ownNames } = place;
  refuse(await checkAccess(account));
  const deployed = place.stored ?? (await readDeployedSettings(account, place.names, given));
  const known =
    place.stored ?? (ownNames ? inRepository(given.vars, ownNames, deployed) : deployed);
  const wanted = varsOf(known, request);
  const vars = ownNames ? await withTrialDefaults(account, place.names.workerName, wanted) : wanted;
  const settings: Settings = { ...known, ...request.choices, account: account.id, vars };
  refuse(checkSettings(settings));
  const base = withShards(given, settings);
  const names = namesOf(base, environment, settings);

  tools.print(`Environment ${environment.name}, account ${account.id}`);
  if (request.build) tools.print(IN_A_BUILD);
  if (vars['AUTH_AUTOCONFIRM'] !== wanted['AUTH_AUTOCONFIRM']) tools.print(NO_MAIL_YET);
  const facts = await readFacts(account, names, settings, tools.network);
  const { problems, notes } = checkPreflight(names, settings, facts, request, known);
  refuse([...problems, ...checkStaged(classesOf(base), percent, facts)]);
  for (const note of notes) tools.print(`Note: ${note}`);

  const origin = vars['APP_ORIGIN'] ?? '';
  if (secretFile !== undefined && facts.worker?.secrets.includes('AUTH_SECRET') === true)
    tools.print(
      `Note: ${secretFile} is not used, because the Worker has its secrets. \`npx wrangler secret put\` changes one.`,
    );
  const hosts = hostsOf(settings);
  const target = { ...names, origin, hosts, percent, secretFile, build: request.build };
  const steps = planDeployment(target, facts);
  await runSteps(steps, { ...names, environment, settings, account, base, ids: facts.ids }, tools);
  const isStaged = percent < 100 && facts.worker !== null;
  tools.print(isStaged ? describeStaged(request) : `\n${origin} is deployed.`);
}

const describeStaged = ({ percent, environment: { name } }: Request): string =>
  `\nThe new release answers ${percent}% of the requests. \`npm run deploy -- --env ${name}\` finishes the rollout, \`npm run deploy -- rollback --env ${name}\` ends it.`;

const inRepository = (
  vars: Settings['vars'],
  names: Settings['names'],
  deployed: Settings | null,
): Settings => ({ ...deployed, names, vars: repositoryVars(vars, deployed?.vars ?? {}) });

const varsOf = (
  known: Pick<Settings, 'vars'> | null,
  { vars, alsoHosts, detaches }: Pick<Request, 'vars' | 'alsoHosts' | 'detaches'>,
): Settings['vars'] => changeHosts({ ...known?.vars, ...vars }, alsoHosts, detaches);

function refuse(problems: readonly string[]): void {
  if (problems.length > 0)
    throw new DeployError(
      `Nothing was changed:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    );
}

export function describePlan(
  request: Pick<
    Request,
    'environment' | 'vars' | 'percent' | 'choices' | 'alsoHosts' | 'detaches' | 'secretFile'
  >,
): string {
  const { environment, percent, secretFile } = request;
  const stored = readSettings(environment);
  const settings: Settings = { ...stored, ...request.choices, vars: varsOf(stored, request) };
  const found = checkSettings(settings);
  const target: Target = {
    ...namesOf(readBaseConfig(), environment, settings),
    origin: settings.vars['APP_ORIGIN'] ?? 'its address',
    hosts: found.length > 0 ? [] : hostsOf(settings),
    percent,
    secretFile,
  };
  const lines = planDeployment(target, null).map(({ text, isForUpgrades }, at) => {
    const line = `${String(at + 1).padStart(3)}  ${text}`;
    return isForUpgrades === true ? `${line} (upgrades only)` : line;
  });
  const problems = found.map((problem) => `  - ${problem}`);
  return [
    `Plan for the environment ${environment.name}. Nothing is asked or changed; what exists already is skipped.`,
    '',
    '     Check the login, the account’s plan, the domains and the names',
    ...lines,
    ...(problems.length > 0 ? ['', 'Before it can run:', ...problems] : []),
    ...settingsNotes(settings).map((note) => `\nNote: ${note}`),
  ].join('\n');
}
