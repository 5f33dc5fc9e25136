import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GetPlatformProxyOptions } from 'wrangler';
import { CONFIG, QUIET, ROOT } from './place.ts';

/** Loading wrangler takes two seconds, which the help text of a command should not wait for. */
const loadWrangler = () => import('wrangler');

/**
 * Runs `work` in Node with the Worker's local bindings (D1, KV, R2, queue) on the state folder
 * `state`, which `wrangler dev --persist-to` also serves.
 */
export async function withLocalEnv<T>(state: string, work: (env: Env) => Promise<T>): Promise<T> {
  Object.assign(process.env, QUIET);
  const { unstable_readConfig } = await loadWrangler();
  const config = unstable_readConfig({ config: CONFIG });
  // The classes of Durable Objects are the Worker's, which does not run here.
  const unused = { durable_objects: undefined, exports: undefined, unsafe: undefined };
  const options = {
    envFiles: [join(ROOT, '.dev.vars')],
    persist: { path: join(state, 'v3') },
    remoteBindings: false,
  };
  return withBindings({ ...config, ...unused }, options, work);
}

async function withBindings<T>(
  config: object,
  options: GetPlatformProxyOptions,
  work: (env: Env) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await loadWrangler();
  const folder = mkdtempSync(join(tmpdir(), 'hop-bindings-'));
  try {
    const configPath = join(folder, 'wrangler.json');
    writeFileSync(configPath, JSON.stringify(config));
    const proxy = await getPlatformProxy<Env>({ ...options, configPath });
    try {
      return await work(proxy.env);
    } finally {
      await proxy.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The storage of a deployment. It has no AUTH_SECRET, because the platform never shows secrets. */
export type RemoteEnv = Pick<Env, 'DB' | 'LINKS' | 'BACKUPS' | 'LINKS_EPOCH' | 'AUTH_SECRET'>;

/**
 * Runs `work` in Node with the storage of the deployment that the wrangler configuration `config`
 * describes.
 */
export const withRemoteEnv = async <T>(
  config: string,
  work: (env: RemoteEnv) => Promise<T>,
): Promise<T> => withBindings(await remoteConfig(config), { persist: false }, work);

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
