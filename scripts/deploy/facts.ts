import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/shared/place.ts';
import { isFromBefore } from '#worker/db/baseline.ts';
import { parseSender } from '#worker/mail/sender.ts';
import { hostsOf, type Settings } from './environment.ts';
import { findOwnZone, readHost, type HostFacts } from './hosts.ts';
import type { Network } from './network.ts';
import type { Account } from './platform.ts';
import { attachedDomains, findResources, keyOf } from './resources.ts';
import { shardsIn, type Names } from './worker-config.ts';

export type DeployedWorker = {
  /** True if its database is ours. Another product's Worker is never overwritten. */
  isOurs: boolean;
  /** True for the page that Workers Builds deploys before the first build. */
  isBlank?: boolean;
  vars: Record<string, string>;
  secrets: string[];
  /** How many databases for clicks it is bound to, besides the main one. */
  shards: number;
  jurisdiction: string | undefined;
  /** Its classes of Durable Objects. */
  classes: string[];
};

export type Facts = {
  plan: 'free' | 'paid' | 'unknown';
  /** The rate plans that the account has and that say nothing about Workers. */
  unknownPlans: string[];
  hosts: HostFacts[];
  /** The hosts that reach the Worker today. */
  attachedHosts: string[];
  /**
   * True if mail can be sent from MAIL_FROM's domain. Null without MAIL_FROM, or if the login may
   * not check.
   */
  canSendMail: boolean | null;
  worker: DeployedWorker | null;
  /** The ids of existing resources, by `keyOf`. */
  ids: Map<string, string>;
  /** Migrations that at least one of the databases lacks. */
  pendingMigrations: string[];
  outdatedDatabases: string[];
  /** Databases of our names that hold another product's tables. */
  foreignDatabases: string[];
  hasAdmin: boolean;
  hasSubdomain: boolean;
};

export type Binding = {
  type: string;
  name: string;
  class_name?: string;
  text?: string;
  id?: string;
  database_id?: string;
  jurisdiction?: string;
};

export async function readWorker(
  account: Account,
  { workerName, resources }: Names,
): Promise<DeployedWorker | null> {
  const path = `/workers/scripts/${workerName}`;
  const settings = await account.readOrNull<{ bindings?: Binding[] }>(`${path}/settings`);
  if (settings === null) return null;
  const bindings = settings.bindings ?? [];
  const ids = await findResources(
    account,
    resources.filter(({ kind }) => kind === 'd1'),
  );
  const database = bindings.find(({ type, name }) => type === 'd1' && name === 'DB');
  const isOurs = [...ids.values()].some((id) => id === (database?.id ?? database?.database_id));
  const vars = Object.fromEntries(
    bindings.flatMap(({ type, name, text }) => (type === 'plain_text' ? [[name, text ?? '']] : [])),
  );
  return {
    shards: shardsIn(bindings.filter(({ type }) => type === 'd1').map(({ name }) => name)),
    jurisdiction: bindings.find(({ type }) => type === 'r2_bucket')?.jurisdiction,
    classes: classesAmong(bindings),
    isOurs,
    isBlank: !vars['APP_ORIGIN'] && (isOurs || bindings.every(({ type }) => type !== 'd1')),
    vars,
    secrets: (await account.list<{ name: string }>(`${path}/secrets`)).map(({ name }) => name),
  };
}

/** Returns the classes of Durable Objects that these bindings name. */
export const classesAmong = (bindings: readonly Binding[]): string[] =>
  bindings.flatMap(({ type, class_name = '' }) =>
    type === 'durable_object_namespace' ? [class_name] : [],
  );

/** Reads everything from the platform that the plan depends on. */
export async function readFacts(
  account: Account,
  names: Names,
  settings: Settings,
  network: Network,
): Promise<Facts> {
  const { resources } = names;
  const ids = await findResources(account, resources);
  const databases = await Promise.all(
    resources
      .filter(({ kind }) => kind === 'd1')
      .map(async (resource) =>
        Object.assign(await readDatabase(account, ids.get(keyOf(resource))), {
          name: resource.name,
        }),
      ),
  );
  const [main] = databases;
  const behind = databases.flatMap(({ pendingMigrations }) => pendingMigrations);
  return {
    ...(await readPlan(account)),
    hosts: await Promise.all(
      hostsOf(settings).map((host) => readHost(account, names.workerName, host, network)),
    ),
    attachedHosts: await readAttachedHosts(account, names.workerName),
    canSendMail: await readMail(account, settings.vars['MAIL_FROM'] ?? ''),
    worker: await readWorker(account, names),
    ids,
    pendingMigrations: [...new Set(behind)].toSorted(),
    outdatedDatabases: databases.filter(({ isOutdated }) => isOutdated).map(({ name }) => name),
    foreignDatabases: databases.filter(({ isForeign }) => isForeign).map(({ name }) => name),
    hasAdmin: main?.hasAdmin ?? false,
    hasSubdomain: (await account.readOrNull('/workers/subdomain')) !== null,
  };
}

/** Includes hosts that were attached by hand, and the address on workers.dev if it is enabled. */
export async function readAttachedHosts(account: Account, workerName: string): Promise<string[]> {
  const hosts = (await attachedDomains(account, workerName)).map(({ hostname }) => hostname);
  const onWorkersDev = await account.readOrNull<{ enabled: boolean }>(
    `/workers/scripts/${workerName}/subdomain`,
  );
  if (onWorkersDev?.enabled !== true) return hosts;
  const own = await account.readOrNull<{ subdomain: string }>('/workers/subdomain');
  return own === null ? hosts : [...hosts, `${workerName}.${own.subdomain}.workers.dev`];
}

type RatePlan = { id?: string; scope?: string };
const PAID = /workers.*(paid|ent|unlimited)|enterprise/i;
const FREE = /free/i;

/**
 * Reads the plan from the account's subscriptions. Their ids are not documented and have had
 * several spellings, so one that is not recognized leaves the plan unknown.
 */
async function readPlan(account: Account): Promise<Pick<Facts, 'plan' | 'unknownPlans'>> {
  const subscriptions = await account.readOrNull<{ rate_plan?: RatePlan }[]>('/subscriptions');
  if (subscriptions === null) return { plan: 'unknown', unknownPlans: [] };
  const ids = subscriptions
    .filter(({ rate_plan }) => rate_plan?.scope !== 'zone')
    .map(({ rate_plan }) => rate_plan?.id ?? '');
  if (ids.some((id) => PAID.test(id))) return { plan: 'paid', unknownPlans: [] };
  const unknownPlans = ids.filter((id) => !FREE.test(id));
  return { plan: unknownPlans.length === 0 ? 'free' : 'unknown', unknownPlans };
}

/** Returns the domain of a sender such as `hop@example.com` or `Hop <hop@example.com>`. */
export const mailDomain = (mailFrom: string): string | undefined =>
  parseSender(mailFrom)?.email.split('@')[1];

async function readMail(account: Account, mailFrom: string): Promise<boolean | null> {
  const domain = mailDomain(mailFrom);
  if (domain === undefined) return null;
  const zone = await findOwnZone(account, domain);
  if (zone === null) return false;
  const subdomains = await account.platform.readOrNull<{ name: string; enabled?: boolean }[]>(
    `/zones/${zone}/email/sending/subdomains`,
  );
  return subdomains && subdomains.some(({ name, enabled }) => name === domain && enabled !== false);
}

export const migrationFiles = (): string[] =>
  readdirSync(join(ROOT, 'migrations'))
    .filter((file) => file.endsWith('.sql'))
    .toSorted();

async function readDatabase(account: Account, id: string | undefined) {
  if (id === undefined)
    return {
      pendingMigrations: migrationFiles(),
      isOutdated: false,
      isForeign: false,
      hasAdmin: false,
    };
  const tables = await queryD1<{ name: string }>(account, id, SELECT_TABLES);
  const has = (table: string): boolean => tables.some(({ name }) => name === table);
  const applied = has('d1_migrations')
    ? await queryD1<{ name: string }>(account, id, 'SELECT name FROM d1_migrations')
    : [];
  const files = migrationFiles();
  const isCurrent = has(OUR_TABLE);
  const isOutdated = has('links') && applied.some(({ name }) => isFromBefore(name));
  const isEmpty = applied.length === 0 && tables.every(({ name }) => name === 'd1_migrations');
  const admins = isCurrent
    ? await queryD1(account, id, `SELECT 1 FROM users WHERE role = 'admin' LIMIT 1`)
    : [];
  return {
    pendingMigrations: files.filter((file) => !applied.some(({ name }) => name === file)),
    isOutdated,
    isForeign: !isEmpty && !isCurrent && !isOutdated,
    hasAdmin: admins.length > 0,
  };
}

/** A table that every database of Hop has, and hardly another product. */
const OUR_TABLE = 'link_outbox';

/** The tables, except those of SQLite and of the platform. */
const SELECT_TABLES = `SELECT name FROM sqlite_master
  WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`;

export async function queryD1<T>(
  account: Account,
  id: string,
  sql: string,
  params: string[] = [],
): Promise<T[]> {
  const path = `/d1/database/${id}/query`;
  const [answer] = await account.write<{ results: T[] }[]>('POST', path, { sql, params });
  return answer?.results ?? [];
}
