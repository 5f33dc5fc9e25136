import { expect, it } from 'vitest';
import { destroy } from './destroy.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

/** A deployed production, and a function that destroys it. */
async function deployed() {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy({ vars: { APP_ORIGIN: ORIGIN, EXTRA_HOSTS: 'old.example.com' } });
  platform.writes.length = 0;
  const { environment } = owner.request();
  const destroyIt = (confirm = () => Promise.resolve(true)) =>
    destroy({ environment, account: undefined, confirm }, owner.tools);
  return { platform, owner, destroyIt };
}

it('a destroyed environment loses its consumers first and its database last', async () => {
  const { platform, destroyIt } = await deployed();
  await destroyIt();
  const deleted = platform.writes.flatMap(
    (write) =>
      /\/queues\/[^/]+\/(consumers)\//.exec(write)?.[1] ??
      /\/(domains|scripts|kv|queues|r2|d1)\//.exec(write)?.[1] ??
      [],
  );
  expect(deleted.filter((kind, at) => kind !== deleted[at - 1])).toEqual([
    'consumers',
    'domains',
    'scripts',
    'r2',
    'queues',
    'kv',
    'd1',
  ]);
  expect(platform.account.names()).toEqual([]);
});

it('the command lists all that it deletes, then asks, and deletes nothing before', async () => {
  const { platform, owner, destroyIt } = await deployed();
  const names = platform.account.names();
  owner.lines.length = 0;
  let listed: string[] = [];
  const refuse = () => {
    listed = [...owner.lines];
    return Promise.resolve(false);
  };
  await expect(destroyIt(refuse)).rejects.toThrow('Nothing was deleted: the name does not match.');
  expect(listed[0]).toMatch(/environment production for good, with every link and account/);
  expect(listed.slice(1).map((line) => line.trim().split(' ').at(-1))).toEqual(
    expect.arrayContaining(['hop-production', 'hop-production-links', 'hop-production-clicks']),
  );
  expect(listed.length).toBe(1 + names.filter((name) => !name.startsWith('domain')).length);
  expect(platform.writes).toEqual([]);
});

it('a bucket that holds backups is kept, and everything else is deleted', async () => {
  const { platform, owner, destroyIt } = await deployed();
  platform.account.hasBackups = true;
  await destroyIt();
  expect(platform.account.names()).toEqual(['r2 hop-production-backups']);
  expect(owner.lines.join('\n')).toContain('Kept: R2 bucket hop-production-backups still holds');
});

it.each([
  ['loses the response of every write', 'breakAfterWrite', 1],
  ['is refused every second write', 'refuseWrite', 2],
] as const)('a destruction that %s can be repeated until it is done', async (_, stop, at) => {
  const { platform, destroyIt } = await deployed();
  const left: number[] = [];
  while (platform.account.names().length > 0 && left.length < 50) {
    platform[stop](at);
    await destroyIt().catch(() => undefined);
    left.push(platform.writes.length);
  }
  expect(platform.account.names()).toEqual([]);
  expect(left.length).toBeGreaterThan(8);
  expect(left.filter((writes, index) => writes === left[index - 1])).toEqual([]);
  expect(platform.unknown).toEqual([]);
});

it('a destruction removes the Worker as a consumer of queues that it does not know', async () => {
  const { platform, destroyIt } = await deployed();
  const consumer = { consumer_id: 'c', script: 'hop-production' };
  const other = { consumer_id: 'd', script: 'shop' };
  const older = { consumer_id: 'e', service: 'hop-production' };
  platform.account.queues.set('q', { name: 'orders', consumers: [consumer, other, older] });
  await destroyIt();
  expect(platform.account.names()).toEqual(['queue orders']);
  expect(platform.account.queues.get('q')?.consumers).toEqual([other]);
});

it('a destruction deletes the queues that another machine has added', async () => {
  const { platform, owner, destroyIt } = await deployed();
  await owner.upgrade({ vars: { CLICK_QUEUES: '2' } });
  await machine(platform).upgrade({ vars: { CLICK_QUEUES: '3' } });
  await destroyIt();
  expect(platform.account.names()).toEqual([]);
});

it('a Worker of that name that is another product is not deleted', async () => {
  const { platform, destroyIt } = await deployed();
  const { id } = platform.account.addVersion('hop-production', []);
  platform.account.deploy('hop-production', [{ version_id: id, percentage: 100 }]);
  await expect(destroyIt()).rejects.toThrow(/Nothing was deleted: the Worker hop-production does/);
  expect(platform.writes).toEqual([]);
});

it('an environment that does not exist is not destroyed', async () => {
  const owner = machine(await newPlatform());
  const { environment } = owner.request({ name: 'staging' });
  const confirm = () => Promise.reject(new Error('It asked.'));
  await expect(destroy({ environment, account: undefined, confirm }, owner.tools)).rejects.toThrow(
    'There is no environment staging.',
  );
});
