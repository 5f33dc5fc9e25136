import { schemaScript } from '#scripts/checks/schema-files.ts';
import { CONFIG } from '#scripts/shared/place.ts';
import type { Extent, Result } from './run-profile.ts';

/**
 * Simulates a profile on an empty, migrated D1 and an empty KV in memory, with the variables of
 * wrangler.toml (worker.ts).
 */
export async function simulateProfile(name: string, extent: Extent): Promise<Result> {
  // These packages take two seconds to load, which a help text should not wait for.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare');
  const { unstable_readConfig } = await import('wrangler');
  const { compatibility_date, compatibility_flags, vars } = unstable_readConfig({ config: CONFIG });
  const texts = Object.fromEntries(
    Object.entries(vars).map(([key, value]) => [key, String(value)]),
  );
  const options = convertV4MiniflareOptions({
    modules: true,
    script: await (bundled ??= bundle()),
    compatibilityDate: compatibility_date ?? '',
    compatibilityFlags: compatibility_flags,
    kvNamespaces: { LINKS: 'simulated' },
    r2Buckets: { BACKUPS: 'simulated' },
    durableObjects: { SIMULATION: { className: 'Simulation', useSQLite: true } },
    bindings: { VARS: texts },
  });
  const miniflare = new Miniflare(options);
  try {
    // With the names of the migrations, because a backup names that of its database.
    const schema = schemaScript().map((sql) => ({ sql, params: [] }));
    const body = JSON.stringify({ name, extent, schema });
    const response = await miniflare.dispatchFetch('http://simulation', { method: 'POST', body });
    return JSON.parse(await response.text());
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
