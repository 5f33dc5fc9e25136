import { migrationFiles, type Facts } from './facts.ts';
import { keyOf, WHAT_IT_IS } from './resources.ts';
import type { Resource } from './worker-config.ts';

/**
 * A step of a deployment. Every step is idempotent, because an interrupted deployment starts again.
 */
export type Step =
  | { kind: 'create'; resource: Resource }
  | { kind: 'configure' }
  | { kind: 'restore-point' }
  | { kind: 'migrate'; migrations: readonly string[] }
  | { kind: 'check-running' }
  | { kind: 'list-reserved' }
  | { kind: 'upload'; makesSecret: boolean; percent: number }
  | { kind: 'smoke' }
  | { kind: 'claim' };

/** What to deploy. `origin` is empty in a dry run without settings. */
export type Target = {
  workerName: string;
  origin: string;
  hosts: readonly string[];
  resources: readonly Resource[];
  percent: number;
};

/** Returns the remaining steps for the given facts, or every step if nothing is known yet. */
export function planDeployment({ resources, percent }: Target, facts: Facts | null): Step[] {
  const migrations = facts?.pendingMigrations ?? migrationFiles();
  const exists = (resource: Resource): boolean => facts?.ids.has(keyOf(resource)) ?? false;
  const hasWorker = facts === null || facts.worker !== null;
  const hasDatabase =
    facts === null || resources.some((resource) => resource.kind === 'd1' && exists(resource));
  const isMigrating = migrations.length > 0;
  return [
    ...resources
      .filter((resource) => !exists(resource))
      .map((resource): Step => ({ kind: 'create', resource })),
    { kind: 'configure' },
    ...when(hasDatabase, { kind: 'restore-point' }),
    ...when(isMigrating, { kind: 'migrate', migrations }),
    ...when(isMigrating && hasWorker, { kind: 'check-running' }),
    ...when(hasWorker, { kind: 'list-reserved' }),
    {
      kind: 'upload',
      makesSecret: !facts?.worker?.secrets.includes('AUTH_SECRET'),
      percent: hasWorker ? percent : 100,
    },
    { kind: 'smoke' },
    ...when(!facts?.hasAdmin, { kind: 'claim' }),
  ];
}

const when = (isNeeded: boolean, step: Step): Step[] => (isNeeded ? [step] : []);

/** True for steps that a first deployment does not need. */
export const isForUpgrades = ({ kind }: Step): boolean =>
  ['restore-point', 'check-running', 'list-reserved'].includes(kind);

export function describeStep(
  step: Step,
  { workerName, origin, hosts }: Omit<Target, 'resources'>,
): string {
  switch (step.kind) {
    case 'create':
      return `Create the ${WHAT_IT_IS[step.resource.kind]} ${step.resource.name}`;
    case 'configure':
      return 'Write the settings and the Worker’s configuration to deploy/ (ignored by Git)';
    case 'restore-point':
      return 'Note a restore point of the database';
    case 'migrate':
      return `Apply ${step.migrations.length} migrations: ${firstAndLast(step.migrations)}`;
    case 'check-running':
      return 'Check that the running release works on the new schema; otherwise stop';
    case 'list-reserved':
      return 'List the links whose alias is now a reserved word (they continue to redirect)';
    case 'upload':
      return (
        [
          `Upload the Worker ${workerName}`,
          ...(step.percent < 100
            ? [`for ${step.percent}% of the requests`]
            : hosts.length > 0
              ? [`for ${hosts.join(' and ')}`]
              : []),
        ].join(' ') + (step.makesSecret ? ', with a new AUTH_SECRET' : '')
      );
    case 'smoke':
      return `Run the smoke test against ${origin}`;
    case 'claim':
      return 'Print a one-time link that makes its user the first administrator';
  }
}

const firstAndLast = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names[0]} to ${names.at(-1)}`;
