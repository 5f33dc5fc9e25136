import { migrationFiles, type Facts } from './facts.ts';
import { keyOf, WHAT_IT_IS } from './resources.ts';
import { RELEASES_KEPT } from './release-assets.ts';
import {
  applyMigrations,
  checkRunningRelease,
  createMissing,
  detachHosts,
  listReserved,
  noteRelease,
  noteRestorePoint,
  printClaim,
  smokeTest,
  storeAssets,
  storeSettings,
  upload,
  writeConfiguration,
  type Step,
} from './run-steps.ts';
import type { Names, Resource } from './worker-config.ts';
import type { Build } from './workers-builds.ts';

/** What to deploy. `origin` is a placeholder in a dry run without settings. */
export type Target = Names & {
  origin: string;
  hosts: readonly string[];
  percent: number;
  secretFile?: string | undefined;
  build?: Build | undefined;
};

/** Returns the remaining steps for the given facts, or every step if nothing is known yet. */
export function planDeployment(target: Target, facts: Facts | null): Step[] {
  const { resources, origin } = target;
  const migrations = facts?.pendingMigrations ?? migrationFiles();
  const exists = (resource: Resource): boolean => facts?.ids.has(keyOf(resource)) ?? false;
  const isPlaceholder = target.build !== undefined && facts?.worker?.isBlank === true;
  const hasWorker = facts === null || (facts.worker !== null && !isPlaceholder);
  const hasDatabase =
    facts === null || resources.some((resource) => resource.kind === 'd1' && exists(resource));
  const isMigrating = migrations.length > 0;
  const makesSecret = !facts?.worker?.secrets.includes('AUTH_SECRET');
  const hasClaimSecret = facts?.worker?.secrets.includes('ADMIN_CLAIM') === true;
  const percent = hasWorker ? target.percent : 100;
  const detached = facts?.attachedHosts.filter((host) => !target.hosts.includes(host)) ?? [];
  const isNew =
    !facts?.hasAdmin || target.hosts.some((host) => !facts.attachedHosts.includes(host));
  return [
    { text: 'Store the settings in deploy/ (ignored by Git)', run: storeSettings },
    ...resources
      .filter((resource) => !exists(resource))
      .map((resource) => ({
        text: `Create the ${WHAT_IT_IS[resource.kind]} ${resource.name}${describePlace(resource)}`,
        run: createMissing(resource),
      })),
    {
      text: 'Write the Worker’s configuration to deploy/',
      run: writeConfiguration,
    },
    ...when(hasDatabase, {
      text: 'Note a restore point of the database',
      isForUpgrades: true,
      run: noteRestorePoint,
    }),
    ...when(isMigrating, {
      text: `Apply ${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'}: ${firstAndLast(migrations)}`,
      run: applyMigrations,
    }),
    ...when(isMigrating && hasWorker, {
      text: 'Check that the running release works on the new schema; otherwise stop',
      isForUpgrades: true,
      run: checkRunningRelease(origin),
    }),
    ...when(hasWorker, {
      text: 'List the links whose alias is now a reserved word (they continue to redirect)',
      isForUpgrades: true,
      run: listReserved,
    }),
    {
      text: `Build the pages and keep their files for ${RELEASES_KEPT} more releases`,
      run: storeAssets,
    },
    {
      text: `Upload the Worker ${target.workerName}${describeReach(target.hosts, percent)}${makesSecret ? describeSecret(target) : ''}`,
      run: upload({ makesSecret, secretFile: target.secretFile, percent }),
    },
    ...when(detached.length > 0 && percent === 100, {
      text: `Detach ${detached.join(' and ')}`,
      run: detachHosts(detached),
    }),
    { text: 'Add the release to the history', run: noteRelease(percent) },
    // Before the smoke test, which can fail or take minutes.
    ...when(!facts?.hasAdmin && !hasClaimSecret, {
      text: 'Print a one-time link that makes its user the first administrator',
      run: printClaim(origin),
    }),
    ...when(!facts?.hasAdmin && hasClaimSecret, {
      text: `Become the first administrator: open ${origin}/admin/claim# followed by the value of ADMIN_CLAIM`,
      run: () => Promise.resolve(),
    }),
    {
      text: `Wait for ${describeHosts(target.hosts)}, and run the smoke test against ${origin}`,
      run: smokeTest(origin, facts?.hosts ?? [], isNew),
    },
  ];
}

const when = (isNeeded: boolean, step: Step): Step[] => (isNeeded ? [step] : []);

function describeReach(hosts: readonly string[], percent: number): string {
  if (percent < 100) return ` for ${percent}% of the requests`;
  return hosts.length > 0 ? ` for ${hosts.join(' and ')}` : '';
}

/** Neither can be changed after the creation. */
function describePlace({ kind, jurisdiction, location }: Resource): string {
  if (kind !== 'd1' && kind !== 'r2') return '';
  if (jurisdiction) return `, in the jurisdiction ${jurisdiction} for good`;
  return location
    ? `, in ${location} for good`
    : ', near this machine for good (choose with --jurisdiction or --location)';
}

const describeHosts = (hosts: readonly string[]): string =>
  hosts.length > 0 ? hosts.join(' and ') : 'the hosts';

const describeSecret = ({ secretFile }: Target): string =>
  secretFile === undefined
    ? ', with a new AUTH_SECRET'
    : `, with the secrets of ${secretFile}, to which a new AUTH_SECRET is added if it has none`;

const firstAndLast = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names[0]} to ${names.at(-1)}`;
