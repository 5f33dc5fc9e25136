import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { experimental_readRawConfig } from 'wrangler';
import { FREE_PLAN_BATCH } from '#contract/limits.ts';
import { CONFIG, ROOT } from '#scripts/shared/place.ts';
import { hostsOf, isFreePlan, type Environment, type Settings } from './environment.ts';

/** The free plan's limit for a D1 database, as of November 2026. */
const FREE_PLAN_DATABASE_MB = '500';

/** The members of a Worker's configuration that an environment changes. */
export type WorkerConfig = {
  $schema?: string;
  name: string;
  account_id?: string;
  main: string;
  compatibility_flags: string[];
  assets: { directory: string };
  build?: { cwd?: string };
  workers_dev?: boolean;
  routes?: { pattern: string; custom_domain: boolean }[];
  kv_namespaces: { id?: string }[];
  /**
   * The main database comes first, followed by those for the clicks of some links
   * (docs/operations.md).
   */
  d1_databases: {
    binding: string;
    database_name: string;
    database_id?: string;
    migrations_dir: string;
  }[];
  r2_buckets?: { bucket_name: string; jurisdiction?: string }[];
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: {
      queue: string;
      dead_letter_queue?: string;
      max_batch_size?: number;
      max_concurrency?: number;
    }[];
  };
  durable_objects?: { bindings: { name: string; class_name: string }[] };
  ratelimits?: { namespace_id: string }[];
  analytics_engine_datasets?: { binding: string; dataset: string }[];
  vars: Record<string, string>;
};

/** A resource that the Worker is bound to. It must exist before the upload. */
export type Resource = {
  kind: 'd1' | 'kv' | 'queue' | 'r2';
  name: string;
} & Pick<Settings, 'jurisdiction' | 'location'>;

export type Names = { workerName: string; resources: readonly Resource[] };

export function readBaseConfig(file = CONFIG): WorkerConfig {
  const { rawConfig }: { rawConfig: WorkerConfig } = experimental_readRawConfig({ config: file });
  return rawConfig;
}

/**
 * Returns the name in an environment of a resource in wrangler.toml: `clicks` becomes
 * `hop-staging-clicks`.
 */
function scopedName(
  environmentName: string,
  { names }: Pick<Settings, 'names'>,
  name: string,
): string {
  const rest = name.replace(/^hop-?/, '');
  return names?.[name] ?? ['hop', environmentName, rest].filter((part) => part !== '').join('-');
}

/**
 * Returns the resources of `base` in the order of their creation. A resource with several bindings
 * is listed once.
 */
export function resourcesOf(base: WorkerConfig, nameOf: (name: string) => string): Resource[] {
  const { producers, consumers } = base.queues;
  const names: [Resource['kind'], (string | undefined)[]][] = [
    ['d1', base.d1_databases.map(({ database_name }) => database_name)],
    ['kv', base.kv_namespaces.map(({ id }) => id)],
    ['queue', [...producers, ...consumers].map(({ queue }) => queue)],
    ['queue', consumers.map(({ dead_letter_queue }) => dead_letter_queue)],
    ['r2', (base.r2_buckets ?? []).map(({ bucket_name }) => bucket_name)],
  ];
  const found = names.flatMap(([kind, given]) =>
    given.flatMap((name): Resource[] => (name === undefined ? [] : [{ kind, name: nameOf(name) }])),
  );
  return found.filter(
    ({ kind, name }, at) =>
      found.findIndex((other) => other.kind === kind && other.name === name) === at,
  );
}

export function namesOf(
  base: WorkerConfig,
  { name }: Pick<Environment, 'name'>,
  settings: Partial<Settings> | null,
): Names {
  const { jurisdiction, location } = settings ?? {};
  const nameOf = (given: string): string => scopedName(name, settings ?? {}, given);
  const place = { ...(jurisdiction && { jurisdiction }), ...(location && { location }) };
  const sharded = withShards(base, settings ?? {});
  const queues = clickQueuesOf(sharded, settings?.vars);
  const resources = resourcesOf({ ...sharded, queues }, nameOf);
  return {
    workerName: nameOf(base.name),
    resources: resources.map((resource) =>
      ['d1', 'r2'].includes(resource.kind) ? Object.assign(resource, place) : resource,
    ),
  };
}

/**
 * Returns the queues of `base` with as many for clicks as CLICK_QUEUES says
 * (worker/redirect/click-queues.ts). All have the consumer and the dead-letter queue of the first.
 */
function clickQueuesOf(base: WorkerConfig, vars?: Settings['vars']): WorkerConfig['queues'] {
  const { producers, consumers } = structuredClone(base.queues);
  const clicks = clickQueueOf(base);
  const first = consumers.find(({ queue }) => queue === clicks);
  for (let number = 2; number <= Number(vars?.['CLICK_QUEUES'] ?? 1); number++) {
    const queue = `${clicks}-${number}`;
    producers.push({ binding: `CLICKS_QUEUE_${number}`, queue });
    if (first !== undefined) consumers.push({ ...first, queue });
  }
  return { producers, consumers };
}

/** The form of the deploy button lets its user rename the queue. */
export const clickQueueOf = ({ queues }: WorkerConfig): string =>
  queues.producers.find(({ binding }) => binding === 'CLICKS')?.queue ?? '';

/** Returns the classes of Durable Objects that the Worker is bound to. */
export const classesOf = ({ durable_objects }: WorkerConfig): string[] =>
  (durable_objects?.bindings ?? []).map(({ class_name }) => class_name);

const SHARD = /^CLICKS_(\d+)$/;

/** Returns how many databases for clicks the bindings name, besides the main one. */
export const shardsIn = (bindings: readonly string[]): number =>
  Math.max(0, ...bindings.map((name) => Number(SHARD.exec(name)?.[1] ?? 0)));

/** Adds the settings' shards and concurrency to `base`, unless it has them. */
export function withShards(
  base: WorkerConfig,
  { shards = 0, concurrency, jurisdiction }: Partial<Settings>,
): WorkerConfig {
  const config = structuredClone(base);
  for (let shard = 1; shard <= shards; shard++) {
    const binding = `CLICKS_${shard}`;
    if (!config.d1_databases.some((database) => database.binding === binding))
      config.d1_databases.push({
        binding,
        database_name: `hop-clicks-${shard}`,
        migrations_dir: config.d1_databases[0]?.migrations_dir ?? '',
      });
  }
  const clicks = clickQueueOf(config);
  const consumer = config.queues.consumers.find(({ queue }) => queue === clicks);
  if (consumer && concurrency !== undefined) consumer.max_concurrency = concurrency;
  if (jurisdiction)
    for (const bucket of config.r2_buckets ?? []) bucket.jurisdiction = jurisdiction;
  return config;
}

/**
 * Returns the configuration for wrangler: wrangler.toml with the environment's names, ids, hosts
 * and variables.
 */
export function workerConfig(
  base: WorkerConfig,
  environmentName: string,
  settings: Settings,
  idOf: (resource: Resource) => string | undefined,
): WorkerConfig {
  const nameOf = (name: string): string => scopedName(environmentName, settings, name);
  const id = (kind: Resource['kind'], name: string): string => idOf({ kind, name }) ?? '';
  const { $schema: _, ...config } = withShards(base, settings);
  config.queues = clickQueuesOf(config, settings.vars);
  const hosts = hostsOf(settings);
  const ownHosts = hosts.filter((host) => !isWorkersDev(host));

  config.name = nameOf(config.name);
  config.account_id = settings.account ?? '';
  // The path is absolute, because wrangler resolves it relative to the configuration.
  config.main = join(ROOT, config.main);
  config.assets.directory = join(ROOT, config.assets.directory);
  // The bundle is complete and minified (scripts/build/bundle.ts).
  Object.assign(config, { no_bundle: true, find_additional_modules: false, minify: false });
  config.build = { ...config.build, cwd: ROOT };
  config.workers_dev = hosts.length > ownHosts.length;
  config.routes = ownHosts.map((host) => ({ pattern: host, custom_domain: true }));
  for (const namespace of config.kv_namespaces) namespace.id = id('kv', nameOf(namespace.id ?? ''));
  for (const database of config.d1_databases) {
    database.database_name = nameOf(database.database_name);
    database.database_id = id('d1', database.database_name);
    database.migrations_dir = join(ROOT, database.migrations_dir);
  }
  for (const bucket of config.r2_buckets ?? []) bucket.bucket_name = nameOf(bucket.bucket_name);
  for (const producer of config.queues.producers) producer.queue = nameOf(producer.queue);
  for (const consumer of config.queues.consumers) {
    consumer.queue = nameOf(consumer.queue);
    if (consumer.dead_letter_queue !== undefined)
      consumer.dead_letter_queue = nameOf(consumer.dead_letter_queue);
    if (isFreePlan(settings.vars))
      consumer.max_batch_size = Math.min(
        FREE_PLAN_BATCH,
        consumer.max_batch_size ?? FREE_PLAN_BATCH,
      );
  }
  // Workers of one account share these numbers, so every environment needs different ones.
  for (const [at, limit] of (config.ratelimits ?? []).entries())
    limit.namespace_id = limitId(config.name, at);
  const plan = isFreePlan(settings.vars) ? { DATABASE_LIMIT_MB: FREE_PLAN_DATABASE_MB } : {};
  config.vars = { ...config.vars, ...plan, ...settings.vars };
  const { METRICS_DATASET: dataset } = config.vars;
  if (dataset) config.analytics_engine_datasets = [{ binding: 'METRICS', dataset }];
  return config;
}

export const isWorkersDev = (host: string): boolean => host.endsWith('.workers.dev');

/** Returns a number below 10^9 for the `at`th rate limit of a Worker. */
function limitId(workerName: string, at: number): string {
  const hash = createHash('sha256').update(workerName).digest().readUInt32BE(0);
  return String((hash % 9_000_000) * 100 + 100 + at);
}
