import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parsePrices } from '#worker/plans/price-setting.ts';
import { VARIABLES } from '#scripts/generate/configuration.ts';
import { ROOT } from '#scripts/shared/place.ts';
import { parseSender } from '#worker/mail/sender.ts';

/** Settings and generated configuration of every environment. Git ignores this folder. */
export const DEPLOY_FOLDER = join(ROOT, 'deploy');

/** A problem that the person who deploys has to know or to fix. It prints without a stack. */
export class DeployError extends Error {}

/**
 * The jurisdictions and locations that D1 and R2 have in common
 * (https://developers.cloudflare.com/d1/configuration/data-location/ and
 * https://developers.cloudflare.com/r2/reference/data-location/).
 */
export const JURISDICTIONS = ['eu', 'us', 'fedramp'] as const;
export const LOCATIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const;
/** The largest concurrency of a consumer (https://developers.cloudflare.com/queues/platform/limits/). */
export const CONCURRENCY_MAX = 250;
const SHARDS_MAX = 99;

const choices = {
  /** Where D1 and R2 keep the data. Both are chosen when the database and the bucket are created. */
  jurisdiction: z.optional(z.enum(JURISDICTIONS)),
  location: z.optional(z.enum(LOCATIONS)),
  /** How many further databases hold clicks, and how many batches of clicks are counted at once. */
  shards: z.optional(z.int().check(z.minimum(0), z.maximum(SHARDS_MAX))),
  concurrency: z.optional(z.int().check(z.minimum(1), z.maximum(CONCURRENCY_MAX))),
};
/** The settings that are not variables, by the names of their options. */
export const choicesSchema = z.object(choices);

const settingsSchema = z.strictObject({
  /** The account's id, needed if the login can access several. */
  account: z.optional(z.string()),
  /**
   * Names of existing resources by their name in wrangler.toml, for deployments that were created
   * by hand.
   */
  names: z.optional(z.record(z.string(), z.string())),
  ...choices,
  /** Variables of the Worker that differ from wrangler.toml. */
  vars: z.record(z.string(), z.string()),
});

/** `deploy/NAME.json`: the owner's choices for an environment. */
export type Settings = z.infer<typeof settingsSchema>;

export type Environment = {
  name: string;
  settingsFile: string;
  configFile: string;
  historyFile: string;
};

/**
 * Returns the environment `name`. Names have no hyphens, so no two environments can share the name
 * of a resource.
 */
export function environment(name: string, folder = DEPLOY_FOLDER): Environment {
  if (!/^[a-z][a-z0-9]{0,19}$/.test(name))
    throw new DeployError(
      'The name of an environment has 1 to 20 lower-case letters and digits, and begins with a letter.',
    );
  const file = (ending: string): string => join(folder, `${name}.${ending}`);
  return {
    name,
    settingsFile: file('json'),
    configFile: file('wrangler.json'),
    historyFile: file('history.ndjson'),
  };
}

/** The stored settings, or null before the first deployment from this machine. */
export function readSettings({ settingsFile }: Environment): Settings | null {
  if (!existsSync(settingsFile)) return null;
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(settingsFile, 'utf8')));
  } catch {
    throw new DeployError(
      `${settingsFile} is not valid. It is JSON: { "account": "…", "vars": { "APP_ORIGIN": "https://…" } }`,
    );
  }
}

export function writeSettings({ settingsFile }: Environment, settings: Settings): void {
  mkdirSync(join(settingsFile, '..'), { recursive: true });
  writeFileSync(settingsFile, `${JSON.stringify(settings, null, 2)}\n`);
}

export function findInvalidVars({ vars }: Settings): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(vars)) {
    const variable = VARIABLES.find((known) => known.name === name);
    if (variable === undefined)
      problems.push(`${name} is not a variable. docs/configuration.md lists them.`);
    else if ('secret' in variable)
      problems.push(
        `${name} is a secret. Remove it from the settings and set it with \`npx wrangler secret put\`.`,
      );
  }
  for (const name of ['APP_ORIGIN', 'SHORT_ORIGIN']) {
    const value = vars[name] ?? '';
    if (value !== '' && !isHttpsOrigin(value))
      problems.push(`${name} must be an origin such as https://hop.example, without a path.`);
  }
  for (const host of [...extraHosts(vars), ...shortHosts(vars)])
    if (!isHttpsOrigin(`https://${host}`))
      problems.push(
        `"${host}" is not a host such as old.example, in lower case and without https://.`,
      );
  const origins = [vars['APP_ORIGIN'], vars['SHORT_ORIGIN']];
  const own = new Set([
    ...origins.flatMap((origin) => URL.parse(origin ?? '')?.host ?? []),
    ...extraHosts(vars),
  ]);
  for (const host of shortHosts(vars))
    if (own.has(host) || host.endsWith('.workers.dev'))
      problems.push(
        `SHORT_HOSTS names ${host}, which already serves the application or its own short links. Remove it there.`,
      );
  if (!/^([1-9]|1\d|20)$/.test(vars['CLICK_QUEUES'] ?? '1'))
    problems.push('CLICK_QUEUES must be a number from 1 to 20.');
  if (parsePrices(vars['PRICES'] ?? '') === null)
    problems.push(
      'PRICES must be prices such as INR 500, USD 6.50, or INR 500/5000, USD 6/60 with a price per year for each. A year costs at most twelve months.',
    );
  const sender = vars['MAIL_FROM'] ?? '';
  if (sender !== '' && parseSender(sender) === null)
    problems.push(
      'MAIL_FROM must be an address such as hop@example.com, or a name with one: Hop <hop@example.com>.',
    );
  return problems;
}

function isHttpsOrigin(value: string): boolean {
  return URL.canParse(value) && value.startsWith('https://') && new URL(value).origin === value;
}

export function hostsOf({ vars }: Settings): string[] {
  const origins = [vars['APP_ORIGIN'], vars['SHORT_ORIGIN']].filter(
    (origin) => origin !== undefined && origin !== '',
  );
  const ofOrigins = origins.map((origin) => new URL(origin ?? '').host);
  return [...new Set([...ofOrigins, ...extraHosts(vars), ...shortHosts(vars)])];
}

const listOf = (text = ''): string[] => text.split(/[\s,]+/).filter((host) => host !== '');
const extraHosts = (vars: Settings['vars']): string[] => listOf(vars['EXTRA_HOSTS']);
const shortHosts = (vars: Settings['vars']): string[] => listOf(vars['SHORT_HOSTS']);

/** Returns `vars` with the hosts `added` and without those `removed`. */
export function changeHosts(
  vars: Settings['vars'],
  added: readonly string[],
  removed: readonly string[],
): Settings['vars'] {
  if (added.length + removed.length === 0) return vars;
  const isKept = (host: string): boolean => !removed.includes(host);
  const hosts = new Set([...extraHosts(vars), ...added].filter(isKept));
  const changed = { ...vars, EXTRA_HOSTS: [...hosts].join(' ') };
  const short = shortHosts(vars);
  if (short.every(isKept)) return changed;
  return { ...changed, SHORT_HOSTS: short.filter(isKept).join(' ') };
}

export const isFreePlan = (vars: Settings['vars']): boolean => vars['WORKERS_PLAN'] === 'free';

export const isSignInHosted = (vars: Settings['vars']): boolean =>
  Boolean(vars['SUPABASE_URL'] && vars['SUPABASE_PUBLISHABLE_KEY']);
