import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { typedPath } from '#scripts/shared/place.ts';
import { deploy, describePlan } from './deploy.ts';
import type { Request } from './request.ts';
import { destroy } from './destroy.ts';
import {
  choicesSchema,
  DEPLOY_FOLDER,
  DeployError,
  environment,
  JURISDICTIONS,
  LOCATIONS,
} from './environment.ts';
import { pull } from './pull.ts';
import { rollBack } from './roll-back.ts';
import type { Tools } from './run-steps.ts';
import { readBuild } from './workers-builds.ts';

const DEPLOY_USAGE = `Usage: npm run deploy -- [options]             deploy or upgrade an environment
       npm run deploy -- rollback [VERSION]    return to the release before, or to a version
       npm run deploy -- pull                  write the files of what another machine deployed

  --env NAME            the environment; production unless given
  --origin URL          its address, for example https://hop.example
  --short-origin URL    the address of its short links, if it differs
  --also-host HOST      a further host whose links keep working; may be repeated
  --detach HOST         stop answering on a host: its links stop; may be repeated
  --plan free|paid      the platform’s plan of the account; paid unless given
  --jurisdiction NAME   where D1 and R2 keep the data, for good: ${JURISDICTIONS.join(', ')}
  --location NAME       near where they keep it, for good: ${LOCATIONS.join(', ')}
  --shards N            further databases for clicks; never fewer than before
  --concurrency N       batches of clicks that are counted at once
  --var NAME=VALUE      a variable of docs/configuration.md; may be repeated
  --secret-file FILE    secrets for the first upload, as NAME=VALUE; a new AUTH_SECRET is added
  --account ID          the account, if the login reaches several
  --percent N           upgrade for N% of the requests; run it again without to finish
  --replace-dns         replace a DNS record that the address has
  --skip-smoke          run no smoke test, where bot protection or an access rule blocks it
  --dry-run             print the plan; asks for no account and no network`;

const OPTIONS = {
  env: { type: 'string', default: 'production' },
  origin: { type: 'string' },
  'short-origin': { type: 'string' },
  'also-host': { type: 'string', multiple: true },
  detach: { type: 'string', multiple: true },
  plan: { type: 'string' },
  jurisdiction: { type: 'string' },
  location: { type: 'string' },
  shards: { type: 'string' },
  concurrency: { type: 'string' },
  var: { type: 'string', multiple: true },
  'secret-file': { type: 'string' },
  account: { type: 'string' },
  percent: { type: 'string', default: '100' },
  'replace-dns': { type: 'boolean', default: false },
  'skip-smoke': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function readCommand(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new DeployError(
      `${error instanceof Error ? error.message : String(error)}\n\n${DEPLOY_USAGE}`,
    );
  }
}

function variablesOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text)?.slice(1));
  if (pairs.includes(undefined))
    throw new DeployError('--var is NAME=VALUE, for example MAIL_FROM=hop@example.com.');
  return Object.fromEntries(pairs.flatMap((pair) => (pair === undefined ? [] : [pair])));
}

/** Returns the given origins without a trailing slash. */
function originsOf(values: { origin?: string; 'short-origin'?: string }): Record<string, string> {
  const given = { APP_ORIGIN: values.origin, SHORT_ORIGIN: values['short-origin'] };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replace(/\/$/, '')]],
    ),
  );
}

type Choices = { jurisdiction?: string; location?: string; shards?: string; concurrency?: string };

function choicesOf({ jurisdiction, location, shards, concurrency }: Choices): Request['choices'] {
  if (jurisdiction !== undefined && location !== undefined)
    throw new DeployError('Choose --jurisdiction or --location: a jurisdiction decides both.');
  const given = {
    ...(jurisdiction !== undefined && { jurisdiction }),
    ...(location !== undefined && { location }),
    ...(shards !== undefined && { shards: Number(shards) }),
    ...(concurrency !== undefined && { concurrency: Number(concurrency) }),
  };
  const read = choicesSchema.safeParse(given);
  if (read.success) return read.data;
  const [name] = read.error.issues[0]?.path ?? [];
  throw new DeployError(`--${String(name)} is not valid.\n\n${DEPLOY_USAGE}`);
}

/** Runs `npm run deploy -- …args`. `folder` holds the settings of the environments. */
export async function runDeploy(
  args: readonly string[],
  openTools: () => Promise<Tools>,
  folder = DEPLOY_FOLDER,
): Promise<void> {
  const { values, positionals } = readCommand(args);
  if (values.help) return console.log(DEPLOY_USAGE);
  const [action, version, ...more] = positionals;
  const takesVersion = action === 'rollback';
  // A dry run is one of a deployment.
  const isKnown =
    action === undefined || (!values['dry-run'] && (takesVersion || action === 'pull'));
  if (more.length > 0 || !isKnown || (version !== undefined && !takesVersion))
    throw new DeployError(DEPLOY_USAGE);
  const percent = Number(values.percent);
  if (!(Number.isInteger(percent) && percent >= 1 && percent <= 100))
    throw new DeployError('--percent is a number from 1 to 100.');
  if (values.plan !== undefined && !['free', 'paid'].includes(values.plan))
    throw new DeployError('--plan is free or paid.');
  const vars = { ...variablesOf(values.var ?? []), ...originsOf(values) };
  if (values.plan !== undefined) vars['WORKERS_PLAN'] = values.plan;
  const account = values.account ?? process.env['CLOUDFLARE_ACCOUNT_ID'];
  const request = {
    environment: environment(values.env, folder),
    vars,
    account,
    percent,
    choices: choicesOf(values),
    replacesDns: values['replace-dns'],
    alsoHosts: values['also-host'] ?? [],
    detaches: values.detach ?? [],
    secretFile: values['secret-file'] && typedPath(values['secret-file']),
    build: readBuild(process.env),
  };
  if (values['dry-run']) return console.log(describePlan(request));
  const opened = await openTools();
  const tools = values['skip-smoke'] ? withoutSmoke(opened) : opened;
  if (action === 'pull') return pull(request, tools);
  return action === 'rollback' ? rollBack(request, version, tools) : deploy(request, tools);
}

const withoutSmoke = (tools: Tools): Tools => ({
  ...tools,
  smoke: (origin) => {
    tools.print(`     The smoke test of ${origin} is skipped.`);
    return Promise.resolve(true);
  },
});

const DESTROY_USAGE = 'Usage: npm run destroy -- --env NAME [--account ID]';

/**
 * Runs `npm run destroy -- …args`. `confirm` resolves to true after the name of the environment was
 * typed.
 */
export async function runDestroy(
  args: readonly string[],
  confirm: (name: string) => Promise<boolean>,
  openTools: () => Promise<Tools>,
  folder = DEPLOY_FOLDER,
): Promise<void> {
  const { env, account = process.env['CLOUDFLARE_ACCOUNT_ID'] } = readNames(args);
  if (env === undefined) throw new DeployError(DESTROY_USAGE);
  await destroy({ environment: environment(env, folder), account, confirm }, await openTools());
}

/** Resolves to true if the next line is the name, and to false also if nobody can answer. */
export async function confirmName(
  name: string,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<boolean> {
  process.stdout.write(`Type ${name} to delete it: `);
  for await (const line of createInterface({ input })) return line.trim() === name;
  return false;
}

function readNames(args: readonly string[]): { env?: string; account?: string } {
  try {
    return parseArgs({
      args: [...args],
      options: { env: { type: 'string' }, account: { type: 'string' } },
    }).values;
  } catch {
    // An invalid name is treated like a missing one.
    return {};
  }
}

export async function reportErrors(command: Promise<void>): Promise<void> {
  try {
    await command;
  } catch (error) {
    console.error(error instanceof DeployError ? error.message : error);
    process.exitCode = 1;
  }
}
