import type { Account } from './platform.ts';

/** A version that a change of a secret made has the release of the version before it. */
export type Version = { id: string; number: number; release: string; uploadedAt: string };

/** The deployments, newest first. Each lists its versions, the one with most requests first. */
export type History = { versions: Version[]; deployments: Version[][] };

type Annotations = { 'workers/tag'?: string; 'workers/message'?: string };
type Listed = {
  id: string;
  number: number;
  metadata: { created_on: string };
  annotations?: Annotations;
};
type Deployments = { deployments: { versions: { version_id: string; percentage: number }[] }[] };

export async function readHistory(account: Account, workerName: string): Promise<History> {
  const path = `/workers/scripts/${workerName}`;
  const { items } = await account.read<{ items: Listed[] }>(`${path}/versions?deployable=true`);
  const versions = withReleases(items);
  const { deployments } = await account.read<Deployments>(`${path}/deployments`);
  return {
    versions: versions.toReversed(),
    deployments: deployments.map((deployment) =>
      deployment.versions
        .toSorted((a, b) => b.percentage - a.percentage)
        .flatMap(({ version_id }) => versions.find(({ id }) => id === version_id) ?? []),
    ),
  };
}

/** Returns the versions, oldest first. */
function withReleases(items: readonly Listed[]): Version[] {
  let release = '';
  return items
    .toSorted((a, b) => a.number - b.number)
    .map(({ id, number, metadata, annotations }) => {
      const { 'workers/tag': tag, 'workers/message': message } = annotations ?? {};
      // An older release has no tag, and a change of a secret has neither.
      release = [tag, message, release].find(Boolean) ?? '';
      return { id, number, release, uploadedAt: metadata.created_on };
    });
}

/** Returns the version that runs; in a staged rollout the newer one. */
export const runningVersion = ({ deployments: [current = []] }: History): Version | undefined =>
  current.toSorted((a, b) => b.number - a.number)[0];

/** True if an older version runs than one that was deployed before. */
export const isRolledBack = (history: History): boolean =>
  history.deployments.flat().some(({ number }) => number > (runningVersion(history)?.number ?? 0));

/**
 * Returns the versions of releases older than the one of `running`, by the time of their first
 * upload.
 */
export function earlierVersions({ versions }: History, running: Version): Version[] {
  const firstNumberOf = (wanted: string): number =>
    Math.min(...versions.flatMap(({ release, number }) => (release === wanted ? number : [])));
  const first = firstNumberOf(running.release);
  return versions.filter(({ release }) => firstNumberOf(release) < first);
}

/**
 * Returns the version that was deployed last of an earlier release, so that a rollback does not go
 * forward; in a staged rollout the one that answers the other requests.
 */
export function releaseBefore(history: History): Version | undefined {
  const running = runningVersion(history);
  if (running === undefined) return undefined;
  const [current = []] = history.deployments;
  const replaced = current.find(({ number }) => number < running.number);
  const earlier = new Set(earlierVersions(history, running));
  return replaced ?? history.deployments.flat().find((version) => earlier.has(version));
}
