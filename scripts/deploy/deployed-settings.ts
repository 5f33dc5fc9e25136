import { JURISDICTIONS, type Settings } from './environment.ts';
import { readWorker } from './facts.ts';
import type { Account } from './platform.ts';
import type { Names, WorkerConfig } from './worker-config.ts';

type Queue = { queue_name: string; consumers?: { settings?: { max_concurrency?: number } }[] };

/**
 * Returns the settings of an environment that another machine has deployed: what differs from
 * wrangler.toml, as the platform has it. Null before the first deployment.
 */
export async function readDeployedSettings(
  account: Account,
  names: Names,
  base: WorkerConfig,
): Promise<Settings | null> {
  const worker = await readWorker(account, names);
  if (worker === null || !worker.isOurs) return null;
  const defaults = new Map<string, unknown>(Object.entries(base.vars));
  const vars = Object.entries(worker.vars).filter(
    ([name, value]) => defaults.has(name) && defaults.get(name) !== value,
  );
  const jurisdiction = JURISDICTIONS.find((one) => one === worker.jurisdiction);
  const concurrency = await readConcurrency(account, names, base);
  return {
    account: account.id,
    ...(jurisdiction && { jurisdiction }),
    ...(worker.shards > 0 && { shards: worker.shards }),
    ...(concurrency !== undefined && { concurrency }),
    vars: Object.fromEntries(vars),
  };
}

/** Returns the concurrency of the clicks' consumer, if wrangler.toml has another. */
async function readConcurrency(
  account: Account,
  { resources }: Names,
  base: WorkerConfig,
): Promise<number | undefined> {
  const [consumer] = base.queues.consumers;
  const clicks = resources.find(({ kind }) => kind === 'queue');
  const queues = await account.list<Queue>('/queues');
  const deployed = queues.find(({ queue_name }) => queue_name === clicks?.name)?.consumers?.[0]
    ?.settings?.max_concurrency;
  return deployed === consumer?.max_concurrency ? undefined : deployed;
}
