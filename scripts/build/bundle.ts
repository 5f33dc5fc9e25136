import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CONFIG, ROOT, run } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

export type BundleFile = { name: string; text: string; gzip: number };

const FOLDER = join(ROOT, 'node_modules', '.cache', 'hop', 'bundle');
const INPUTS = ['worker', 'wrangler.toml', 'package.json', 'package-lock.json'];

/**
 * Bundles the Worker as `wrangler deploy` does, without deploying it, unless it has been bundled
 * since its last change.
 */
export async function bundleWorker(): Promise<BundleFile[]> {
  const bundle = async (): Promise<void> => {
    rmSync(FOLDER, { recursive: true, force: true });
    const args = ['deploy', '--dry-run', '--outdir', FOLDER, '--config', CONFIG];
    const { code, output } = await run('wrangler', args, { quiet: true });
    if (code !== 0) throw new Error(`The Worker could not be bundled:\n${output}`);
  };
  await onceFor(`${FOLDER}.stamp`, hashOf(INPUTS), bundle, () => existsSync(FOLDER));
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => {
      const content = readFileSync(join(FOLDER, name));
      return {
        name,
        text: content.toString('utf8'),
        gzip: gzipSync(content, { level: 9 }).length,
      };
    });
}
