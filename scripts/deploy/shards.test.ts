import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import { migrationFiles } from './facts.ts';
import { machine, newPlatform } from './testing/machine.ts';
import { readBaseConfig, type WorkerConfig } from './worker-config.ts';

describe('a deployment with a further click database', () => {
  it('a deployment creates and migrates a click database, and leaves the main one', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const migrationsOf = (name: string) =>
      platform.account.database(name).prepare('SELECT count(*) AS n FROM d1_migrations').get()?.[
        'n'
      ];
    const base = readBaseConfig();
    base.d1_databases.push({
      binding: 'CLICKS_1',
      database_name: 'hop-clicks-1',
      migrations_dir: 'migrations',
    });
    base.vars['CLICKS_SHARDS'] = 'CLICKS_1';
    await deploy(owner.request(), owner.tools, base);
    expect(migrationsOf('hop-production-clicks-1')).toBe(migrationFiles().length);
    expect(migrationsOf('hop-production')).toBe(migrationFiles().length);
    owner.lines.length = 0;
    await deploy(owner.request(), owner.tools, base);
    expect(owner.lines.join(' ')).not.toMatch(/Create|migrations/);
    // This can happen after a release was deployed without this step.
    platform.account
      .database('hop-production-clicks-1')
      .exec(`DELETE FROM d1_migrations WHERE name LIKE '0027%'`);
    await expect(deploy(owner.request(), owner.tools, base)).rejects.toThrow('already exists');
    expect(owner.lines.join(' ')).toContain('Apply 1 migration: 0027_baseline.sql');
  });
});

describe('a deployment with several click queues', () => {
  it('creates, binds and consumes them, also from a machine that knows no settings', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    await owner.upgrade({ vars: { CLICK_QUEUES: '3' } });
    const other = machine(platform);
    await other.upgrade();
    const names = ['clicks', 'clicks-2', 'clicks-3'].map((name) => `hop-production-${name}`);
    for (const { folder } of [owner, other]) {
      const text = readFileSync(join(folder, 'production.wrangler.json'), 'utf8');
      const { queues }: WorkerConfig = JSON.parse(text);
      expect(queues.producers.filter(({ binding }) => binding.startsWith('CLICKS'))).toEqual([
        { binding: 'CLICKS', queue: names[0] },
        { binding: 'CLICKS_QUEUE_2', queue: names[1] },
        { binding: 'CLICKS_QUEUE_3', queue: names[2] },
      ]);
      const consumers = queues.consumers.filter(({ queue }) => names.includes(queue));
      const [first] = consumers;
      expect(consumers).toEqual(names.map((queue) => Object.assign({}, first, { queue })));
      expect(first).toMatchObject({ dead_letter_queue: 'hop-production-clicks-dead' });
    }
    expect([...platform.account.queues.values()].map(({ name }) => name)).toEqual(
      expect.arrayContaining(names),
    );
    expect(other.lines.join(' ')).not.toContain('Create');
    const { environment } = machine(platform).request();
    const confirm = () => Promise.resolve(true);
    await destroy({ environment, account: undefined, confirm }, other.tools);
    expect(platform.account.names()).toEqual([]);
  });
});
