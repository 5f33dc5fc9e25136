import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CONFIG, run } from '#scripts/shared/place.ts';

export type BundleFile = { name: string; text: string; gzip: number };

/** Bundles the Worker as `wrangler deploy` does, without deploying it. */
export async function bundleWorker(): Promise<BundleFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hop-bundle-'));
  try {
    const args = ['deploy', '--dry-run', '--outdir', folder, '--config', CONFIG];
    const { code, output } = await run('wrangler', args, { quiet: true });
    if (code !== 0) throw new Error(`The Worker could not be bundled:\n${output}`);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?js$/.test(name))
      .map((name) => {
        const content = readFileSync(join(folder, name));
        return {
          name,
          text: content.toString('utf8'),
          gzip: gzipSync(content, { level: 9 }).length,
        };
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
