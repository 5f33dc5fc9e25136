import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCliBuilt } from './build-cli.ts';
import { ensureExtensionBuilt } from './build-extension.ts';
import { buildForProduction } from './production.ts';
import { ROOT, WEB_DIST } from '#scripts/shared/place.ts';
import { hashOf, onceFor } from '#scripts/shared/stamp.ts';

export const PAGE_INPUTS = [
  'web',
  'worker/contract',
  'worker/api/v1',
  'worker/api/access.ts',
  'worker/messages',
  'package.json',
  'package-lock.json',
];
const STAMP = join(ROOT, 'node_modules', '.cache', 'hop', 'pages');

/**
 * Builds web/dist, with the package of the command line and the browser extension, unless it is up
 * to date. Returns whether it built the pages.
 */
export async function ensureWebBuilt(): Promise<boolean> {
  const build = () => buildForProduction({ configFile: join(ROOT, 'web', 'vite.config.ts') });
  const isNew = await onceFor(STAMP, hashOf(PAGE_INPUTS, ['dist', 'node_modules']), build, () =>
    existsSync(join(WEB_DIST, 'index.html')),
  );
  await ensureCliBuilt();
  await ensureExtensionBuilt();
  return isNew;
}
