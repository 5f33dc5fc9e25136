import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runDeploy } from './command.ts';
import { destroy } from './destroy.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

const pullTo = async (owner: ReturnType<typeof machine>) =>
  runDeploy(['pull'], () => Promise.resolve(owner.tools), owner.folder);
const textOf = ({ folder }: { folder: string }, file: string) =>
  readFileSync(join(folder, file), 'utf8');
const VARS = { APP_ORIGIN: ORIGIN, MAIL_FROM: 'hop@example.com' };

it('another machine gets the same configuration, without a change', async () => {
  const platform = await newPlatform();
  const first = machine(platform);
  const choices = { jurisdiction: 'eu', shards: 2, concurrency: 7 } as const;
  await first.deploy({ vars: VARS, choices });
  const writes = platform.writes.length;
  const other = machine(platform);
  await pullTo(other);
  expect(platform.writes.length).toBe(writes);
  expect(JSON.parse(textOf(other, 'production.wrangler.json'))).toEqual(
    JSON.parse(textOf(first, 'production.wrangler.json')),
  );
  expect(JSON.parse(textOf(other, 'production.json'))).toEqual(
    JSON.parse(textOf(first, 'production.json')),
  );
});

it('restore points and releases of every machine are in the bucket', async () => {
  const platform = await newPlatform();
  for (const revision of ['one', 'two']) {
    const owner = machine(platform);
    owner.tools.revision = revision;
    owner.network.clock += revision === 'two' ? 60_000 : 0;
    await owner.deploy({ vars: VARS });
  }
  const other = machine(platform);
  const between = { at: '2027-01-15T08:00:30.000Z', released: 'here', percent: 100 };
  writeFileSync(join(other.folder, 'production.history.ndjson'), JSON.stringify(between));
  await pullTo(other);
  const lines = textOf(other, 'production.history.ndjson').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ released: 'one', percent: 100 }),
    between,
    expect.objectContaining({ deploys: 'two', bookmark: expect.any(String) }),
    expect.objectContaining({ released: 'two', percent: 100 }),
  ]);
});

it('settings that exist stay, and an environment that is not deployed writes nothing', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await expect(pullTo(owner)).rejects.toThrow('The environment production is not deployed.');
  expect(existsSync(join(owner.folder, 'production.wrangler.json'))).toBe(false);
  await owner.deploy({ vars: VARS });
  // As its owner wrote it.
  const before = JSON.stringify(JSON.parse(textOf(owner, 'production.json')));
  writeFileSync(join(owner.folder, 'production.json'), before);
  await pullTo(owner);
  expect(textOf(owner, 'production.json')).toBe(before);
  expect(owner.lines.join('\n')).not.toMatch(/Wrote[^]*production\.json/);
});

it('a deployment continues if the history cannot be written, and says so', async () => {
  const platform = await newPlatform();
  platform.account.denied = /objects/;
  const owner = machine(platform);
  await owner.deploy();
  expect(owner.lines.join('\n')).toContain('The bucket’s history could not be written');
  expect(textOf(owner, 'production.history.ndjson')).toContain('"released":"abc123"');
});

it('shards and concurrency are settings, and shards are never fewer', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy({ vars: VARS, choices: { shards: 1, concurrency: 6 } });
  const config = JSON.parse(textOf(owner, 'production.wrangler.json'));
  expect(config.d1_databases).toHaveLength(2);
  expect(config.d1_databases[1]).toMatchObject({
    binding: 'CLICKS_1',
    database_name: 'hop-production-clicks-1',
  });
  expect(config.queues.consumers[0]).toMatchObject({ max_concurrency: 6 });
  await expect(owner.upgrade({ choices: { shards: 0 } })).rejects.toThrow(
    'deploy with `--shards 1`',
  );
  const { tools, request } = machine(platform);
  await destroy({ ...request(), confirm: () => Promise.resolve(true) }, tools);
  expect(platform.account.names()).toEqual([]);
});

it('an account without a workers.dev subdomain gets a note for backups', async () => {
  const platform = await newPlatform();
  platform.account.subdomain = null;
  const owner = machine(platform);
  await owner.deploy();
  expect(owner.lines.join('\n')).toContain('Note: The account has no workers.dev subdomain.');
});
