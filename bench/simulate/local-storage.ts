import { join } from 'node:path';
import { CONFIG, ROOT } from '#scripts/shared/place.ts';
import type { LocalStorage, Statement, StatementResult } from './meter.ts';
import type { Extent, Result } from './run-profile.ts';

/** Simulates a profile in the same process as its database (worker.ts). */
type Simulate = (name: string, extent: Extent) => Promise<Result>;

/**
 * Runs `work` with an empty, migrated D1 and an empty KV in memory, and the variables of
 * wrangler.toml.
 */
export async function withLocalStorage<T>(
  work: (storage: LocalStorage, simulate: Simulate) => Promise<T>,
): Promise<T> {
  // These packages take two seconds to load, which a help text should not wait for.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const { unstable_readConfig } = await import('wrangler');
  const { readD1Migrations } = await import('@cloudflare/vitest-plugin');
  const { compatibility_date, compatibility_flags, vars } = unstable_readConfig({ config: CONFIG });
  const texts = Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [name, String(value)]),
  );
  const options = convertV4MiniflareOptions({
    modules: true,
    script: await (bundled ??= bundle()),
    compatibilityDate: compatibility_date ?? '',
    compatibilityFlags: compatibility_flags,
    d1Databases: { DB: 'simulated' },
    kvNamespaces: { LINKS: 'simulated' },
    r2Buckets: { BACKUPS: 'simulated' },
    durableObjects: { SIMULATION: { className: 'Simulation', useSQLite: true } },
    bindings: { VARS: texts },
  });
  const miniflare = new Miniflare(options);
  try {
    const ask = async <Answer>(path: string, json: unknown): Promise<Answer> => {
      const response = await miniflare.dispatchFetch(`http://storage${path}`, {
        method: 'POST',
        body: JSON.stringify(json),
      });
      if (!response.ok) throw new Error(`The storage failed: ${await response.text()}`);
      return JSON.parse(await response.text());
    };
    const run = (statements: readonly Statement[]) => ask<StatementResult[]>('/run', statements);
    const migrations = await readD1Migrations(join(ROOT, 'migrations'));
    const schema: Statement[] = [
      ...migrations.flatMap(({ queries }) => queries).map((query) => ({ query, params: [] })),
      // A backup names the migration of its database, so they are recorded as wrangler does.
      {
        query:
          'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT)',
        params: [],
      },
      ...migrations.map(({ name }) => ({
        query: `INSERT INTO d1_migrations (name) VALUES (?1)`,
        params: [name],
      })),
    ];
    await run(schema);
    const kv = await miniflare.getKVNamespace('LINKS');
    const links = {
      get: (key: string) => kv.get(key, 'text'),
      put: (key: string, value: string) => kv.put(key, value),
      delete: (key: string) => kv.delete(key),
    };
    return await work({ run, links, vars: texts }, (name, extent) =>
      ask('/simulate', { name, extent, schema }),
    );
  } finally {
    await miniflare.dispose();
  }
}

let bundled: Promise<string> | undefined;
async function bundle(): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: 'worker.ts',
      write: false,
      target: 'esnext',
      rolldownOptions: { external: /^(node|cloudflare):/ },
    },
  });
  const [file] = Array.isArray(built) ? [] : 'output' in built ? built.output : [];
  if (file?.type !== 'chunk') throw new Error('The simulation was not built.');
  return file.code;
}
