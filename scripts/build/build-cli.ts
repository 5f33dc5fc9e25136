import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

export const CLI = join(ROOT, 'cli', 'dist', 'hop.js');
const INPUTS = [
  'cli',
  'web/features/import/formats',
  'web/shared',
  'worker/contract',
  'package.json',
  'package-lock.json',
];
const STAMP = join(ROOT, 'node_modules', '.cache', 'hop', 'cli');

/**
 * Builds the command line into one file unless it is up to date. Node runs no TypeScript inside
 * packages.
 */
export async function ensureCliBuilt(): Promise<void> {
  await onceFor(STAMP, hashOf(INPUTS, ['dist', 'node_modules']), build, () => existsSync(CLI));
}

async function build(): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: join(ROOT, 'cli'),
    logLevel: 'warn',
    publicDir: false,
    // The result is one file, so it must include its packages.
    ssr: { noExternal: true },
    build: {
      ssr: 'hop.ts',
      outDir: 'dist',
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'hop.js', codeSplitting: false } },
    },
  });
  chmodSync(CLI, 0o755);
}

if (process.argv[1] === import.meta.filename) await ensureCliBuilt();
