import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG, ROOT, run } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';
import { loadOnUse } from './load-on-use.ts';
import { buildForProduction } from './production.ts';

const FOLDER = join(ROOT, 'node_modules', '.cache', 'hop', 'bundle');
const CHUNKS = join(FOLDER, 'chunks');
const READABLE = join(FOLDER, 'readable');
const MINIFIED = join(FOLDER, 'minified');
export const WORKER_INPUTS = [
  'worker',
  'migrations',
  'scripts/build/bundle.ts',
  'scripts/build/load-on-use.ts',
  'wrangler.toml',
  'package.json',
];

/**
 * Bundles the Worker without minifying it and returns the file. Vite makes chunks of the modules
 * that are imported on first use, loadOnUse makes functions of the chunks, and wrangler joins them.
 */
export async function bundleReadable(): Promise<string> {
  const bundle = async (): Promise<void> => {
    rmSync(FOLDER, { recursive: true, force: true });
    await buildChunks();
    await dryRun(READABLE, ['--no-minify', join(CHUNKS, 'index.js')]);
  };
  const file = join(READABLE, 'index.js');
  const inputs = hashOf([...WORKER_INPUTS, 'package-lock.json']);
  await onceFor(`${FOLDER}.readable`, inputs, bundle, () => existsSync(file));
  return file;
}

async function buildChunks(): Promise<void> {
  const { unstable_readConfig } = await import('wrangler');
  const { main = '', alias = {} } = unstable_readConfig({ config: CONFIG });
  await buildForProduction({
    configFile: false,
    root: ROOT,
    publicDir: false,
    plugins: [loadOnUse()],
    // As wrangler resolves imports.
    resolve: {
      alias: Object.entries<string>(alias).map(([find, file]) => ({
        find,
        replacement: join(ROOT, file),
      })),
      conditions: ['workerd', 'worker', 'browser'],
      mainFields: ['browser', 'module', 'main'],
    },
    ssr: { target: 'webworker', noExternal: true },
    build: {
      ssr: main,
      outDir: CHUNKS,
      target: 'es2024',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        external: /^cloudflare:/,
        preserveEntrySignatures: 'strict',
        output: {
          codeSplitting: true,
          entryFileNames: 'index.js',
          chunkFileNames: '[name].js',
          minifyInternalExports: true,
        },
      },
    },
  });
}

/** The parameters of password hashes in the bundle. */
const SCRYPT = /(SCRYPT = \{\s+ln: )14(,\s+r: 8,\s+p: )5\b/;

/** Returns the bundle of `bundleReadable` with another cost of password hashes (scrypt-params.ts). */
export async function bundleWithHashes({ ln, p }: { ln: number; p: number }): Promise<string> {
  const script = readFileSync(await bundleReadable(), 'utf8');
  if (!SCRYPT.test(script)) throw new Error('The bundle has other parameters of hashes.');
  return script.replace(SCRYPT, `$1${ln}$2${p}`);
}

/** Bundles the Worker as `npm run deploy` uploads it and returns the file. */
export async function bundleMinified(): Promise<string> {
  const readable = await bundleReadable();
  const file = join(MINIFIED, 'index.js');
  const bundle = async (): Promise<void> => {
    const { minify } = await import('vite');
    const { code, map, errors } = await minify(readable, readFileSync(readable, 'utf8'), {
      module: true,
      sourcemap: true,
      inputMap: JSON.parse(readFileSync(`${readable}.map`, 'utf8')),
    });
    if (errors[0]) throw errors[0];
    rmSync(MINIFIED, { recursive: true, force: true });
    mkdirSync(MINIFIED);
    writeFileSync(file, `${code}\n//# sourceMappingURL=index.js.map`);
    writeFileSync(`${file}.map`, JSON.stringify(map));
  };
  const inputs = readFileSync(`${FOLDER}.readable`, 'utf8');
  await onceFor(`${FOLDER}.minified`, inputs, bundle, () => existsSync(file));
  return file;
}

async function dryRun(folder: string, options: readonly string[]): Promise<void> {
  const args = ['deploy', ...options, '--dry-run', '--outdir', folder, '--config', CONFIG];
  const { code, output } = await run('wrangler', args, { quiet: true });
  if (code !== 0) throw new Error(`The Worker could not be bundled:\n${output}`);
}
