import { resolve4, resolve6, resolveCname } from 'node:dns/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/shared/place.ts';
import { isFromBefore } from '#worker/db/baseline.ts';
import { parseSender } from '#worker/mail/sender.ts';
import { hostsOf, type Settings } from './environment.ts';
import type { Account, Platform } from './platform.ts';
import { attachedDomains, findResources, keyOf } from './resources.ts';
import { isWorkersDev, type Names } from './worker-config.ts';

export type DeployedWorker = {
  /** True if its database is ours. Another product's Worker is never overwritten. */
  isOurs: boolean;
  /** True for the page that Workers Builds deploys before the first build. */
  isBlank?: boolean;
  vars: Record<string, string>;
  secrets: string[];
};

export type HostFacts = {
  host: string;
  /**
   * True if a zone of the account holds the host or, on workers.dev, if it is the account's
   * subdomain.
   */
  isInAccount: boolean;
  /** What already answers on this host, or null. */
  takenBy: string | null;
};

export type Facts = {
  plan: 'free' | 'paid' | 'unknown';
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
  hasAdmin: boolean;
};

type Binding = { type: string; name: string; text?: string; id?: string; database_id?: string };

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
    isOurs,
    isBlank: !vars['APP_ORIGIN'] && (isOurs || bindings.every(({ type }) => type !== 'd1')),
    vars,
    secrets: (await account.list<{ name: string }>(`${path}/secrets`)).map(({ name }) => name),
  };
}

/** Reads everything from the platform that the plan depends on. */
export async function readFacts(
  account: Account,
  names: Names,
  settings: Settings,
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
    plan: await readPlan(account),
    hosts: await Promise.all(
      hostsOf(settings).map((host) => readHost(account, names.workerName, host)),
    ),
    attachedHosts: await readAttachedHosts(account, names.workerName),
    canSendMail: await readMail(account.platform, settings.vars['MAIL_FROM'] ?? ''),
    worker: await readWorker(account, names),
    ids,
    pendingMigrations: [...new Set(behind)].toSorted(),
    outdatedDatabases: databases.filter(({ isOutdated }) => isOutdated).map(({ name }) => name),
    hasAdmin: main?.hasAdmin ?? false,
  };
}

async function readPlan(account: Account): Promise<Facts['plan']> {
  const subscriptions =
    await account.readOrNull<{ rate_plan?: { id?: string } }[]>('/subscriptions');
  if (subscriptions === null) return 'unknown';
  return subscriptions.some(({ rate_plan }) =>
    /workers.*(paid|enterprise)|enterprise/.test(rate_plan?.id ?? ''),
  )
    ? 'paid'
    : 'free';
}

async function readHost(account: Account, workerName: string, host: string): Promise<HostFacts> {
  if (isWorkersDev(host)) {
    const own = await account.readOrNull<{ subdomain: string }>('/workers/subdomain');
    return {
      host,
      isInAccount: own !== null && host === `${workerName}.${own.subdomain}.workers.dev`,
      takenBy: null,
    };
  }
  const zone = await findZone(account.platform, host);
  const domains = await account.list<{ hostname: string; service: string }>(
    `/workers/domains?hostname=${host}`,
  );
  const service = domains.find(({ hostname }) => hostname === host)?.service;
  if (service !== undefined)
    return {
      host,
      isInAccount: true,
      takenBy: service === workerName ? null : `the Worker ${service}`,
    };
  return {
    host,
    isInAccount: zone !== null,
    takenBy: zone === null ? null : await findDnsRecord(account.platform, zone, host),
  };
}

/** Includes hosts that were attached by hand, and the address on workers.dev if it is enabled. */
async function readAttachedHosts(account: Account, workerName: string): Promise<string[]> {
  const hosts = (await attachedDomains(account, workerName)).map(({ hostname }) => hostname);
  const onWorkersDev = await account.readOrNull<{ enabled: boolean }>(
    `/workers/scripts/${workerName}/subdomain`,
  );
  if (onWorkersDev?.enabled !== true) return hosts;
  const own = await account.readOrNull<{ subdomain: string }>('/workers/subdomain');
  return own === null ? hosts : [...hosts, `${workerName}.${own.subdomain}.workers.dev`];
}

/** Returns the id of the zone of `host`: the longest of its suffixes that the login can see. */
async function findZone(platform: Platform, host: string): Promise<string | null> {
  const labels = host.split('.');
  for (let at = 0; at < labels.length - 1; at++) {
    const name = labels.slice(at).join('.');
    const [zone] = await platform.list<{ id: string; name: string }>(`/zones?name=${name}`);
    if (zone?.name === name) return zone.id;
  }
  return null;
}

/**
 * Returns the DNS record of `host`. The public DNS is asked if the login may not read records, as
 * with `wrangler login`.
 */
async function findDnsRecord(
  platform: Platform,
  zone: string,
  host: string,
): Promise<string | null> {
  const records = await platform.readOrNull<{ type: string; content: string }[]>(
    `/zones/${zone}/dns_records?name=${host}`,
  );
  const addressRecords = records?.filter(({ type }) => ['A', 'AAAA', 'CNAME'].includes(type));
  if (addressRecords)
    return addressRecords[0]
      ? `a DNS record (${addressRecords[0].type} ${addressRecords[0].content})`
      : null;
  const answers = await Promise.allSettled([resolve4(host), resolve6(host), resolveCname(host)]);
  const address = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  )[0];
  return address === undefined ? null : `a DNS record (${address})`;
}

/** Returns the domain of a sender such as `hop@example.com` or `Hop <hop@example.com>`. */
export const mailDomain = (mailFrom: string): string | undefined =>
  parseSender(mailFrom)?.email.split('@')[1];

async function readMail(platform: Platform, mailFrom: string): Promise<boolean | null> {
  const domain = mailDomain(mailFrom);
  if (domain === undefined) return null;
  const zone = await findZone(platform, domain);
  if (zone === null) return false;
  const subdomains = await platform.readOrNull<{ name: string; enabled?: boolean }[]>(
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
    return { pendingMigrations: migrationFiles(), isOutdated: false, hasAdmin: false };
  const tables = await queryD1<{ name: string }>(
    account,
    id,
    `SELECT name FROM sqlite_master WHERE name IN ('d1_migrations', 'users')`,
  );
  const has = (table: string): boolean => tables.some(({ name }) => name === table);
  const applied = has('d1_migrations')
    ? await queryD1<{ name: string }>(account, id, 'SELECT name FROM d1_migrations')
    : [];
  const admins = has('users')
    ? await queryD1(account, id, `SELECT 1 FROM users WHERE role = 'admin' LIMIT 1`)
    : [];
  return {
    pendingMigrations: migrationFiles().filter(
      (file) => !applied.some(({ name }) => name === file),
    ),
    isOutdated: applied.some(({ name }) => isFromBefore(name)),
    hasAdmin: admins.length > 0,
  };
}

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
