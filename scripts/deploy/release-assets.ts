import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSET_KEYS, assetKey, releaseAsset } from '#contract/pages/release-assets.ts';
import type { Account } from './platform.ts';

/** How many releases before the new one keep their files. */
export const RELEASES_KEPT = 3;

/** `at` is when the newest release that has the file was deployed. */
type Stored = { name: string; metadata?: { at?: number } };

/**
 * Copies the hashed files of a release to KV, where every version finds those that it lacks. This
 * comes before the upload, so that also the version which runs now can serve the pages of the next.
 * Files of releases older than the last three are deleted.
 */
export async function storeReleaseAssets(
  account: Account,
  namespace: string,
  folder: string,
  now: number,
): Promise<void> {
  const path = `/storage/kv/namespaces/${namespace}`;
  const files = readdirSync(join(folder, 'assets')).filter(
    (name) => releaseAsset(`/assets/${name}`) !== null,
  );
  const entries = files.map((name) => ({
    key: assetKey(name),
    value: readFileSync(join(folder, 'assets', name)).toString('base64'),
    base64: true,
    metadata: { at: now },
  }));
  // At most 10,000 pairs and 100 MB
  // (https://developers.cloudflare.com/api/resources/kv/subresources/namespaces/methods/bulk_update/).
  if (entries.length > 0) await account.write('PUT', `${path}/bulk`, entries);
  const stored = await account.listByCursor<Stored>(`${path}/keys?prefix=${ASSET_KEYS}`);
  const others = stored.filter(({ name }) => !entries.some(({ key }) => key === name));
  const releases = [...new Set(others.map(({ metadata }) => metadata?.at ?? 0))];
  const kept = new Set(releases.toSorted((a, b) => b - a).slice(0, RELEASES_KEPT));
  const outdated = others.filter(({ metadata }) => !kept.has(metadata?.at ?? 0));
  if (outdated.length > 0)
    await account.write(
      'POST',
      `${path}/bulk/delete`,
      outdated.map(({ name }) => name),
    );
}
