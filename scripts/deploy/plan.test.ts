import { expect, it } from 'vitest';
import type { Facts } from './facts.ts';
import { planDeployment } from './plan.ts';
import { keyOf } from './resources.ts';
import type { Resource } from './worker-config.ts';

const resources: Resource[] = [
  { kind: 'd1', name: 'hop-production' },
  { kind: 'kv', name: 'hop-production-links' },
];
const target = { workerName: 'hop', origin: '', hosts: [], resources, percent: 10 };
const running = { isOurs: true, vars: {}, secrets: ['AUTH_SECRET'] };
const upgrade: Facts = {
  plan: 'paid',
  hosts: [],
  canSendMail: null,
  worker: running,
  ids: new Map(resources.map((resource) => [keyOf(resource), 'id'])),
  pendingMigrations: [],
  outdatedDatabases: [],
  hasAdmin: true,
};

it.each<[string, Partial<Facts>, string]>([
  [
    'a first deployment',
    { worker: null, ids: new Map(), pendingMigrations: ['1.sql'], hasAdmin: false },
    'create create configure migrate upload smoke claim',
  ],
  [
    'a first deployment that stopped before the upload',
    { worker: null, hasAdmin: false },
    'configure restore-point upload smoke claim',
  ],
  ['an upgrade', {}, 'configure restore-point list-reserved upload smoke'],
  [
    'an upgrade with migrations',
    { pendingMigrations: ['1.sql'] },
    'configure restore-point migrate check-running list-reserved upload smoke',
  ],
  [
    'an upgrade of a product without administrator',
    { hasAdmin: false },
    'configure restore-point list-reserved upload smoke claim',
  ],
])('%s has exactly its steps in their order', (_, facts, steps) => {
  const plan = planDeployment(target, { ...upgrade, ...facts });
  expect(plan.map(({ kind }) => kind).join(' ')).toBe(steps);
});

it.each<[string, Partial<Facts>, object]>([
  ['a first upload answers all requests and has a secret', { worker: null }, [100, true]],
  ['an upgrade answers its share and keeps the secret', {}, [10, false]],
  ['an upload without a secret gets one', { worker: { ...running, secrets: [] } }, [10, true]],
])('%s', (_, facts, expected) => {
  const upload = planDeployment(target, { ...upgrade, ...facts }).find(
    (step) => step.kind === 'upload',
  );
  expect([upload?.percent, upload?.makesSecret]).toEqual(expected);
});
