import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CONFIG, ROOT, run } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

export type BundleFile = { name: string; text: string; gzip: number };

const FOLDER = join(ROOT, 'node_modules', '.cache', 'hop', 'bundle');
const READABLE = join(FOLDER, 'readable');
const MINIFIED = join(FOLDER, 'minified');
const INPUTS = ['worker', 'scripts/build/bundle.ts', 'wrangler.toml', 'package.json'];

/**
 * Bundles the Worker without minifying it, and returns the file, for wrangler to minify and deploy.
 * V8 parses an arrow function at the top level of a module completely and only scans a method;
 * every module that is imported on first use is wrapped in one of the two, in a method only if the
 * bundle is not minified (docs/decisions.md#d72).
 */
export async function bundleReadable(): Promise<string> {
  const file = join(READABLE, 'index.js');
  const bundle = async (): Promise<void> => {
    rmSync(FOLDER, { recursive: true, force: true });
    await dryRun(READABLE, ['--no-minify']);
    writeFileSync(file, withoutNames(readFileSync(file, 'utf8')));
  };
  const inputs = hashOf([...INPUTS, 'package-lock.json']);
  await onceFor(`${FOLDER}.readable`, inputs, bundle, () => existsSync(file));
  return file;
}

/** The parameters of password hashes in the bundle. */
const SCRYPT = 'SCRYPT = { ln: 14, r: 8, p: 5 }';

/** Returns the bundle of `bundleReadable` with another cost of password hashes (scrypt-params.ts). */
export async function bundleWithHashes({ ln, p }: { ln: number; p: number }): Promise<string> {
  const script = readFileSync(await bundleReadable(), 'utf8');
  if (!script.includes(SCRYPT)) throw new Error(`The bundle does not contain ${SCRYPT}.`);
  return script.replace(SCRYPT, `SCRYPT = { ln: ${ln}, r: 8, p: ${p} }`);
}

/**
 * Shortens the names of the methods, which are the paths of the modules. Each stands in a line of
 * its own that no line of the source belongs to, so the source map stays right.
 */
const withoutNames = (bundle: string): string =>
  bundle.replaceAll(/^ {2}"[^"\n]+"(\([\w, ]*\) \{)$/gm, '  m$1');

/** Bundles the Worker as `npm run deploy` does, unless that has been done since its last change. */
export async function bundleWorker(): Promise<BundleFile[]> {
  const readable = await bundleReadable();
  const bundle = async (): Promise<void> => {
    rmSync(MINIFIED, { recursive: true, force: true });
    await dryRun(MINIFIED, [readable]);
  };
  const inputs = readFileSync(`${FOLDER}.readable`, 'utf8');
  await onceFor(`${FOLDER}.minified`, inputs, bundle, () => existsSync(MINIFIED));
  return readdirSync(MINIFIED, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => {
      const content = readFileSync(join(MINIFIED, name));
      return {
        name,
        text: content.toString('utf8'),
        gzip: gzipSync(content, { level: 9 }).length,
      };
    });
}

async function dryRun(folder: string, options: readonly string[]): Promise<void> {
  const args = ['deploy', ...options, '--dry-run', '--outdir', folder, '--config', CONFIG];
  const { code, output } = await run('wrangler', args, { quiet: true });
  if (code !== 0) throw new Error(`The Worker could not be bundled:\n${output}`);
}
