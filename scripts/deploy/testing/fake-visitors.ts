import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assetKey, releaseAsset } from '#contract/pages/release-assets.ts';
import type { FakeAccount } from './fake-account.ts';

/**
 * Visitors of a Worker with static assets. Each request goes to a version at random, with the
 * probability of its share; a version has the assets that were uploaded with it; a request for an
 * asset that it lacks runs its code
 * (https://developers.cloudflare.com/workers/static-assets/routing/advanced/gradual-rollouts/ and
 * https://developers.cloudflare.com/workers/static-assets/routing/worker-script/).
 */
export class FakeVisitors {
  readonly #account: FakeAccount;
  readonly #files = new Map<string, readonly string[]>();

  constructor(account: FakeAccount) {
    this.#account = account;
  }

  /** Notes that the newest version was uploaded with the files of a build. */
  uploaded(folder: string): void {
    const [version] = this.#worker.versions;
    if (version !== undefined) this.#files.set(version.id, readdirSync(join(folder, 'assets')));
  }

  /** Opens the page of a build and returns the files that any of the running versions misses. */
  missingFiles(folder: string): string[] {
    const versions = this.#worker.deployments[0]?.versions ?? [];
    return readdirSync(join(folder, 'assets')).filter((name) =>
      versions.some(({ version_id }) => !this.#serves(version_id, name)),
    );
  }

  #serves(version: string, name: string): boolean {
    if (this.#files.get(version)?.includes(name)) return true;
    const isAsked = releaseAsset(`/assets/${name}`)?.name === name;
    const [namespace] = [...this.#account.values.values()];
    return isAsked && namespace?.has(assetKey(name)) === true;
  }

  get #worker() {
    const [worker] = [...this.#account.workers.values()];
    if (worker === undefined) throw new Error('Nothing is deployed.');
    return worker;
  }
}
