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
const running = {
  isOurs: true,
  vars: {},
  secrets: ['AUTH_SECRET'],
  shards: 0,
  classes: [],
  jurisdiction: undefined,
};
const upgrade: Facts = {
  plan: 'paid',
  unknownPlans: [],
  hosts: [],
  attachedHosts: [],
  canSendMail: null,
  worker: running,
  ids: new Map(resources.map((resource) => [keyOf(resource), 'id'])),
  pendingMigrations: [],
  outdatedDatabases: [],
  foreignDatabases: [],
  hasAdmin: true,
  hasSubdomain: true,
};

it.each<[string, Partial<Facts>, string]>([
  [
    'a first deployment',
    { worker: null, ids: new Map(), pendingMigrations: ['1.sql'], hasAdmin: false },
    'Store Create Create Write Apply Build Upload Add Print Wait',
  ],
  [
    'a first deployment that stopped before the upload',
    { worker: null, hasAdmin: false },
    'Store Write Note Build Upload Add Print Wait',
  ],
  ['an upgrade', {}, 'Store Write Note List Build Upload Add Wait'],
  [
    'an upgrade with migrations',
    { pendingMigrations: ['1.sql'] },
    'Store Write Note Apply Check List Build Upload Add Wait',
  ],
  [
    'an upgrade of a product without administrator',
    { hasAdmin: false },
    'Store Write Note List Build Upload Add Print Wait',
  ],
])('%s has exactly its steps in their order', (_, facts, steps) => {
  const plan = planDeployment(target, { ...upgrade, ...facts });
  expect(plan.map(({ text }) => text.split(' ')[0]).join(' ')).toBe(steps);
});

it('a step names the first and the last of several migrations', () => {
  const pendingMigrations = ['1.sql', '2.sql', '3.sql'];
  const texts = planDeployment(target, { ...upgrade, pendingMigrations }).map(({ text }) => text);
  expect(texts).toContain('Apply 3 migrations: 1.sql to 3.sql');
});

const NEW_SECRET = ', with a new AUTH_SECRET';
it.each<[string, Partial<Facts>, string]>([
  ['a first upload answers all requests and has a secret', { worker: null }, NEW_SECRET],
  ['an upgrade answers its share and keeps the secret', {}, ' for 10% of the requests'],
  [
    'an upload without a secret gets one',
    { worker: { ...running, secrets: [] } },
    ` for 10% of the requests${NEW_SECRET}`,
  ],
])('%s', (_, facts, ending) => {
  const texts = planDeployment(target, { ...upgrade, ...facts }).map(({ text }) => text);
  expect(texts).toContain(`Upload the Worker hop${ending}`);
});
