import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { bundleWithHashes } from '#scripts/build/bundle.ts';
import { localVars } from '#scripts/local/dev-vars.ts';
import { CONFIG, QUIET } from '#scripts/shared/place.ts';

export type Product = {
  /** Fires the cron trigger, which runs the jobs that are due. */
  runJobs: () => Promise<void>;
  /**
   * Changes D1, for states that no page can create. Writing to its file from another process would
   * let a statement of the product fail while the file is locked.
   */
  execute: (sql: string, ...params: unknown[]) => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Serves the bundle at `origin` from the state folder `state`. `settings` are lines of an
 * env file. Serving with `wrangler dev` takes three times as much CPU time per request, because it
 * adds a proxy, and bundles the Worker at every start.
 */
export async function startProduct(
  origin: string,
  state: string,
  settings: string,
): Promise<Product> {
  Object.assign(process.env, QUIET);
  const config = unstable_readConfig({ config: CONFIG });
  const { modulesRules: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
  const { hostname, port } = new URL(origin);
  const server = new Miniflare(
    convertV4MiniflareOptions({
      host: hostname,
      port: Number(port),
      resourcePersistencePath: join(state, 'v3'),
      unsafeTriggerHandlers: true,
      logRequests: false,
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') console.error(message);
      },
      workers: [
        {
          ...options,
          name: config.name ?? 'hop',
          // A password is hashed in 2 ms instead of 140 ms.
          script: await bundleWithHashes({ ln: 10, p: 1 }),
          modules: true,
          bindings: {
            ...config.vars,
            // The developer's own .dev.vars may point to a hosted sign-in service.
            ...parseEnv(localVars('a-secret-of-the-browser-tests-only')),
            ...parseEnv(settings),
            APP_ORIGIN: origin,
          },
        },
      ],
    }),
  );
  await server.ready;
  return {
    runJobs: async () => {
      const cron = encodeURIComponent('* * * * *');
      await (await fetch(`${origin}/cdn-cgi/local/scheduled?cron=${cron}`)).arrayBuffer();
    },
    execute: async (sql, ...params) => {
      const db = await server.getD1Database('DB');
      await db
        .prepare(sql)
        .bind(...params)
        .run();
    },
    stop: () => server.dispose(),
  };
}
