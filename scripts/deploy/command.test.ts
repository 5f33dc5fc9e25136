import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { confirmName, reportErrors, runDeploy, runDestroy } from './command.ts';
import { deploy } from './deploy.ts';
import { DeployError } from './environment.ts';
import { machine, newFolder, newPlatform, ORIGIN } from './testing/machine.ts';

const closed = () => Promise.reject(new Error('The platform was asked.'));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

it.each<[string, string]>([
  ['--percent 0', '--percent is a number from 1 to 100.'],
  ['--percent 101', '--percent is a number from 1 to 100.'],
  ['--percent 1.5', '--percent is a number from 1 to 100.'],
  ['--percent many', '--percent is a number from 1 to 100.'],
  ['--plan cheap', '--plan is free or paid.'],
  ['--var MAIL_FROM', '--var is NAME=VALUE'],
  ['--var mail=x', '--var is NAME=VALUE'],
  ['--env Production', 'The name of an environment has 1 to 20'],
  ['--env my-staging', 'The name of an environment has 1 to 20'],
  ['roll-back', 'Usage: npm run deploy'],
  ['rollback one two', 'Usage: npm run deploy'],
  ['rollback --dry-run', 'Usage: npm run deploy'],
  ['pull --dry-run', 'Usage: npm run deploy'],
  ['--percentage 10', "Unknown option '--percentage'"],
])('npm run deploy -- %s asks the platform nothing', async (line, message) => {
  await expect(runDeploy(line.split(' '), closed, newFolder())).rejects.toThrow(message);
});

it.each<[string, string]>([
  ['', 'Usage: npm run destroy'],
  ['--account 1', 'Usage: npm run destroy'],
  ['--env staging --yes', 'Usage: npm run destroy'],
  ['staging', 'Usage: npm run destroy'],
  ['--env Staging', 'The name of an environment has 1 to 20'],
])('npm run destroy -- %s asks the platform nothing', async (line, message) => {
  const confirm = vi.fn();
  const args = line.split(' ').filter(Boolean);
  await expect(runDestroy(args, confirm, closed, newFolder())).rejects.toThrow(message);
  expect(confirm).not.toHaveBeenCalled();
});

it.each([
  [['staging'], true],
  [[' staging \n', 'staging\n'], true],
  [['y\n', 'staging\n'], false],
  [['Staging\n'], false],
  [[], false],
])('the answer %j confirms the end of “staging”: %s', async (lines, confirms) => {
  const asked = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await confirmName('staging', Readable.from(lines))).toBe(confirms);
  expect(asked.mock.calls).toEqual([['Type staging to delete it: ']]);
});

it('the options of a first deployment are stored for the next', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  const open = () => Promise.resolve(owner.tools);
  platform.account.dnsRecords.set('s.example.com', 'A 192.0.2.1');
  vi.stubEnv('INIT_CWD', owner.folder);
  const args = [
    '--replace-dns',
    '--secret-file',
    'hop.secrets',
    '--var',
    'MAIL_FROM=Hop <a=b@example.com>',
  ];
  await runDeploy(
    ['--origin', `${ORIGIN}/`, '--short-origin', 'https://s.example.com/', ...args],
    open,
    owner.folder,
  );
  await runDeploy(['--plan', 'paid'], open, owner.folder);
  const detached = runDeploy(['--detach', 's.example.com'], open, owner.folder);
  await expect(detached).rejects.toThrow('s.example.com cannot be detached');
  // A path is relative to the folder in which npm was called.
  expect(existsSync(join(owner.folder, 'hop.secrets'))).toBe(true);
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  await runDeploy(['--dry-run'], closed, owner.folder);
  expect(printed.mock.lastCall?.[0]).toContain(`the smoke test against ${ORIGIN}`);
  expect(JSON.parse(readFileSync(join(owner.folder, 'production.json'), 'utf8'))).toEqual({
    account: platform.account.id,
    vars: {
      APP_ORIGIN: ORIGIN,
      SHORT_ORIGIN: 'https://s.example.com',
      MAIL_FROM: 'Hop <a=b@example.com>',
      WORKERS_PLAN: 'paid',
    },
  });
});

it('--account comes before CLOUDFLARE_ACCOUNT_ID, and both before the login', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  const stored = newFolder();
  const accountOf = async (...args: string[]) => {
    const folder = args.includes('--account') ? stored : newFolder();
    const open = () => Promise.resolve(owner.tools);
    await runDeploy(['--origin', ORIGIN, ...args], open, folder);
    return JSON.parse(readFileSync(join(folder, 'production.json'), 'utf8')).account;
  };
  expect(await accountOf()).toBe(platform.account.id);
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'of the shell');
  expect(await accountOf()).toBe('of the shell');
  platform.account.others.push({ id: 'f'.repeat(32), name: 'Another account' });
  const destroyed = runDestroy(
    ['--env', 'none'],
    vi.fn(),
    () => Promise.resolve(owner.tools),
    stored,
  );
  await expect(destroyed).rejects.toThrow('There is no environment none.');
  expect(await accountOf('--account', 'of the option')).toBe('of the option');
  expect(await accountOf('--account', 'of another one')).toBe('of another one');
});

it('a rollback goes to the version that was named', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  for (const revision of ['v1', 'v2', 'v3'])
    await deploy(owner.request({ vars: { APP_ORIGIN: ORIGIN } }), { ...owner.tools, revision });
  const worker = platform.account.workers.get('hop-production');
  const first = worker?.versions[2]?.id ?? '';
  await runDeploy(['rollback', first], () => Promise.resolve(owner.tools), owner.folder);
  expect(worker?.deployments[0]?.versions).toEqual([{ version_id: first, percentage: 100 }]);
  expect(worker?.deployments[0]?.annotations).toEqual({ 'workers/message': 'Rolled back from v3' });
});

it('a rollback of what is not deployed, or to what does not work, fails', async () => {
  const owner = machine(await newPlatform());
  const rollBack = (tools = owner.tools) =>
    runDeploy(['rollback'], () => Promise.resolve(tools), owner.folder);
  await expect(rollBack()).rejects.toThrow('The environment production is not deployed.');
  await owner.deploy();
  owner.tools.revision = 'def456';
  await owner.upgrade();
  const broken = { ...owner.tools, smoke: () => Promise.resolve(false) };
  await expect(rollBack(broken)).rejects.toThrow(`The smoke test of ${ORIGIN} failed.`);
});

it('a problem is printed without a stack, a fault with it, and both end with 1', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  await reportErrors(Promise.reject(new DeployError('No domain.')));
  expect([printed.mock.calls, process.exitCode]).toEqual([[['No domain.']], 1]);
  process.exitCode = undefined;
  const fault = new Error('a bug');
  await reportErrors(Promise.reject(fault));
  expect([printed.mock.calls.at(-1), process.exitCode]).toEqual([[fault], 1]);
  process.exitCode = undefined;
  await reportErrors(Promise.resolve());
  expect(process.exitCode).toBeUndefined();
});
