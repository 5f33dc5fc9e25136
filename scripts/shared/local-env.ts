import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { d1On, type QueryResult, type RunQueries } from './d1-on.ts';
import { CONFIG, QUIET } from './place.ts';

/** Loading wrangler takes two seconds, which the help text of a command should not wait for. */
const loadWrangler = () => import('wrangler');

/**
 * Runs `work` in Node with the Worker's local bindings (D1, KV, R2, queue) on the state folder
 * `state`, which `wrangler dev --persist-to` also serves, or in memory. `run` runs queries in `DB`.
 */
export async function withLocalEnv<T>(
  state: string | null,
  work: (env: Env, run: RunQueries) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, QUIET);
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await loadWrangler();
  const config = unstable_readConfig({ config: CONFIG });
  // The Worker's own code does not run here: its pages, its classes and its consumers.
  const unused = { assets: undefined, durable_objects: { bindings: [] }, exports: {} };
  const queues = { ...config.queues, consumers: [] };
  const { modulesRules: _, ...workerOptions } = unstable_getMiniflareWorkerOptions({
    ...config,
    ...unused,
    queues,
  }).workerOptions;
  const options = convertV4MiniflareOptions({
    ...workerOptions,
    modules: true,
    script: TO_D1,
    ...(state !== null && { resourcePersistencePath: join(state, 'v3') }),
  });
  const miniflare = new Miniflare(options);
  const runIn =
    (binding: string): RunQueries =>
    async (queries) => {
      const init = { method: 'POST', headers: { binding }, body: JSON.stringify(queries) };
      const response = await miniflare.dispatchFetch(QUERY_URL, init);
      const answer: QueryResult[] | { error: string } = JSON.parse(await response.text());
      if (Array.isArray(answer)) return answer;
      throw new Error(`D1_ERROR: ${answer.error}`, { cause: new Error(answer.error) });
    };
  try {
    const env = await miniflare.getBindings<Env>();
    for (const { binding } of config.d1_databases)
      Object.assign(env, { [binding]: d1On(runIn(binding)) });
    return await work(env, runIn('DB'));
  } finally {
    await miniflare.dispose();
  }
}

/**
 * A Worker that passes requests to a database. A binding in Node makes five to seven calls for each
 * statement, each of which blocks Node.
 */
const TO_D1 = `export default {
  fetch: (request, env) => env[request.headers.get('binding')].fetcher.fetch(request),
};`;
const QUERY_URL = 'http://d1/query?resultsFormat=ROWS_AND_COLUMNS';

/** The storage of a deployment. It has no AUTH_SECRET, because the platform never shows secrets. */
export type RemoteEnv = Pick<Env, 'DB' | 'LINKS' | 'BACKUPS' | 'LINKS_EPOCH' | 'AUTH_SECRET'>;

/**
 * Runs `work` in Node with the storage of the deployment that the wrangler configuration `config`
 * describes.
 */
export async function withRemoteEnv<T>(
  config: string,
  work: (env: RemoteEnv) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await loadWrangler();
  const folder = mkdtempSync(join(tmpdir(), 'hop-bindings-'));
  try {
    const configPath = join(folder, 'wrangler.json');
    writeFileSync(configPath, JSON.stringify(await remoteConfig(config)));
    const proxy = await getPlatformProxy<RemoteEnv>({ configPath, persist: false });
    try {
      return await work(proxy.env);
    } finally {
      await proxy.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the storage bindings of a configuration, each connected to the platform. */
export async function remoteConfig(config: string) {
  const { unstable_readConfig } = await loadWrangler();
  const { name, account_id, compatibility_date, vars, d1_databases, kv_namespaces, r2_buckets } =
    unstable_readConfig({ config });
  const remote = <B>(bindings: readonly B[]) =>
    bindings.map((binding) => ({ ...binding, remote: true }));
  return {
    name,
    account_id,
    compatibility_date,
    vars: { LINKS_EPOCH: vars['LINKS_EPOCH'] ?? '' },
    d1_databases: remote(d1_databases),
    kv_namespaces: remote(kv_namespaces),
    r2_buckets: remote(r2_buckets),
  };
}
