import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { CONFIG, QUIET } from './place.ts';

/**
 * Runs `work` in Node with the Worker's local bindings (D1, KV, queue) on the state folder `state`. What it writes,
 * `wrangler dev --persist-to` serves.
 */
export async function withLocalEnv<T>(state: string, work: (env: Env) => Promise<T>): Promise<T> {
  Object.assign(process.env, QUIET);
  const proxy = await getPlatformProxy<Env>({ configPath: CONFIG, persist: { path: join(state, 'v3') }, remoteBindings: false });
  try {
    return await work(proxy.env);
  } finally {
    await proxy.dispose();
  }
}
