import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '#scripts/shared/place.ts';

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      dev: z.optional(z.boolean()),
      license: z.optional(z.string()),
    }),
  ),
});
const manifest = z.object({
  license: z.optional(z.union([z.string(), z.object({ type: z.string() })])),
});

/**
 * Licenses that would bind the whole product: GPL, LGPL and AGPL in every spelling, and packages
 * without a license.
 */
export const FORBIDDEN = /\b[AL]?GPL|^unknown$/i;

/**
 * Returns the packages that `npm ci --omit=dev` installs, with their licenses, from the lock file.
 */
export function productionPackages(): { name: string; version: string; licence: string }[] {
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')),
  );
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: version ?? '',
      licence: license ?? licenceOf(path),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Reads the package's manifest if the lock file has no license for it. */
function licenceOf(path: string): string {
  try {
    const { license } = manifest.parse(
      JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')),
    );
    return (typeof license === 'string' ? license : license?.type) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
