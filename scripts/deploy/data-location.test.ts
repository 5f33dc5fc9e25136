import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runDeploy } from './command.ts';
import { destroy } from './destroy.ts';
import type { FakePlatform } from './testing/fake-platform.ts';
import { machine, newFolder, newPlatform } from './testing/machine.ts';
import type { WorkerConfig } from './worker-config.ts';

const placesOf = ({ account }: FakePlatform) =>
  [...account.databases.values()].map(({ place }) => place);
const configOf = (folder: string): WorkerConfig =>
  JSON.parse(readFileSync(join(folder, 'production.wrangler.json'), 'utf8'));

it('creates the database and the bucket in a jurisdiction, and binds them', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy({ choices: { jurisdiction: 'eu' } });
  expect(placesOf(platform)).toEqual([{ jurisdiction: 'eu' }]);
  expect([...platform.account.buckets]).toEqual(['eu/hop-production-backups']);
  expect(configOf(owner.folder).r2_buckets).toMatchObject([{ jurisdiction: 'eu' }]);
  expect(owner.lines.join('\n')).toContain(
    'Create the D1 database hop-production, in the jurisdiction eu for good',
  );
  await owner.upgrade();
  expect([...platform.account.buckets]).toEqual(['eu/hop-production-backups']);
  const confirm = () => Promise.resolve(true);
  const { environment } = owner.request();
  await destroy({ environment, account: undefined, confirm }, owner.tools);
  expect([...platform.account.buckets]).toEqual([]);
});

it('a deployment creates database and bucket near the chosen location', async () => {
  const platform = await newPlatform();
  await machine(platform).deploy({ choices: { location: 'weur' } });
  expect(placesOf(platform)).toEqual([{ primary_location_hint: 'weur' }]);
  expect(platform.account.bucketHints.get('hop-production-backups')).toBe('weur');
});

it('another machine finds the jurisdiction, and creates no second bucket', async () => {
  const platform = await newPlatform();
  await machine(platform).deploy({ choices: { jurisdiction: 'us' } });
  await machine(platform).upgrade();
  expect([...platform.account.buckets]).toEqual(['us/hop-production-backups']);
  await expect(machine(platform).upgrade({ choices: { jurisdiction: 'eu' } })).rejects.toThrow(
    'is kept in the jurisdiction us, which cannot be changed',
  );
  const { tools, request } = machine(platform);
  const confirm = () => Promise.resolve(true);
  await destroy({ ...request(), confirm }, tools);
  expect(platform.account.names()).toEqual([]);
});

it('refuses to move data that exists', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy();
  await expect(owner.upgrade({ choices: { jurisdiction: 'eu' } })).rejects.toThrow(
    'near the machine that created it, which cannot be changed',
  );
  await expect(machine(platform).upgrade({ choices: { location: 'oc' } })).rejects.toThrow(
    'cannot be changed',
  );
});

it.each([
  ['--jurisdiction asia', '--jurisdiction is not valid'],
  ['--location moon', '--location is not valid'],
  ['--jurisdiction eu --location weur', 'Choose --jurisdiction or --location'],
  ['--shards many', '--shards is not valid'],
  ['--shards -1', 'argument is ambiguous'],
  ['--shards 100', '--shards is not valid'],
  ['--concurrency 0', '--concurrency is not valid'],
  ['--concurrency 251', '--concurrency is not valid'],
])('npm run deploy -- %s asks the platform nothing', async (line, message) => {
  const closed = () => Promise.reject(new Error('The platform was asked.'));
  await expect(runDeploy(line.split(' '), closed, newFolder())).rejects.toThrow(message);
});

it('the plan says where the data will be, before anything is asked', async () => {
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  const closed = () => Promise.reject(new Error('The platform was asked.'));
  await runDeploy(['--dry-run', '--jurisdiction', 'eu'], closed, newFolder());
  await runDeploy(['--dry-run'], closed, newFolder());
  const place = ['--location', 'weur', '--origin', 'hop.example'];
  await runDeploy(['--dry-run', ...place], closed, newFolder());
  const [eu, near, weur] = printed.mock.calls.flat();
  printed.mockRestore();
  expect(eu).toContain('R2 bucket hop-production-backups, in the jurisdiction eu for good');
  expect(near).toContain('near this machine for good (choose with --jurisdiction or --location)');
  expect(near).toContain('Before it can run:\n  - Which address should it have?');
  expect(weur).toContain('R2 bucket hop-production-backups, in weur for good');
  expect(weur).toContain('Before it can run:\n  - APP_ORIGIN must be an origin');
});
