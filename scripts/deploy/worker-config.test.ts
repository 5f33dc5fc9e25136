import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FREE_PLAN_BATCH } from '#contract/limits.ts';
import { ROOT } from '#scripts/shared/place.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';
import { readBaseConfig, workerConfig, type WorkerConfig } from './worker-config.ts';

describe('workerConfig', () => {
  it('names no resource of wrangler.toml, and takes small batches on the free plan', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    const SUPABASE = {
      SUPABASE_URL: 'https://project.example.com',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    };
    platform.account.plans = [];
    await owner.deploy({
      vars: {
        APP_ORIGIN: ORIGIN,
        SHORT_ORIGIN: 'https://s.example.com',
        WORKERS_PLAN: 'free',
        ...SUPABASE,
      },
    });
    const config: WorkerConfig = JSON.parse(
      readFileSync(join(owner.folder, 'production.wrangler.json'), 'utf8'),
    );
    const ids = [...platform.account.databases.keys(), ...platform.account.namespaces.keys()];
    expect([
      ...config.d1_databases.map((d1) => d1.database_id),
      ...config.kv_namespaces.map((kv) => kv.id),
    ]).toEqual(ids);
    const queues = config.queues.consumers.flatMap((one) => [
      one.queue,
      one.dead_letter_queue ?? one.queue,
    ]);
    expect(
      [...queues, ...config.queues.producers.map(({ queue }) => queue)].every((name) =>
        name.startsWith('hop-production-'),
      ),
    ).toBe(true);
    expect(
      config.queues.consumers.every(
        (consumer) => (consumer.max_batch_size ?? 100) <= FREE_PLAN_BATCH,
      ),
    ).toBe(true);
    expect(config.routes?.map(({ pattern }) => pattern)).toEqual([
      'hop.example.com',
      's.example.com',
    ]);
    expect(config.vars).toMatchObject({ WORKERS_PLAN: 'free', DATABASE_LIMIT_MB: '500' });
  });

  it('the limits of the free plan change neither the owner’s nor the paid plan', () => {
    const limitOf = (vars: Record<string, string>) =>
      workerConfig(readBaseConfig(), 'production', { vars }, () => 'id').vars['DATABASE_LIMIT_MB'];
    expect(limitOf({ WORKERS_PLAN: 'free' })).toBe('500');
    expect(limitOf({ WORKERS_PLAN: 'free', DATABASE_LIMIT_MB: '400' })).toBe('400');
    expect(limitOf({})).toBe(readBaseConfig().vars['DATABASE_LIMIT_MB']);
    const { queues } = workerConfig(readBaseConfig(), 'production', { vars: {} }, () => 'id');
    expect(queues.consumers.map(({ max_batch_size }) => max_batch_size)).toEqual(
      readBaseConfig().queues.consumers.map(({ max_batch_size }) => max_batch_size),
    );
  });

  it('binds a dataset of Analytics Engine where the owner names one', () => {
    const datasetsOf = (vars: Record<string, string>) =>
      workerConfig(readBaseConfig(), 'staging', { vars }, () => 'id').analytics_engine_datasets;
    expect(datasetsOf({})).toBeUndefined();
    expect(datasetsOf({ METRICS_DATASET: 'hop_metrics' })).toEqual([
      { binding: 'METRICS', dataset: 'hop_metrics' },
    ]);
  });

  it('[T49] routes the extra hosts to the Worker, which serves no others', async () => {
    const owner = machine(await newPlatform());
    await owner.deploy({
      vars: { APP_ORIGIN: ORIGIN, EXTRA_HOSTS: 'old.example.com, older.example.com' },
    });
    const config: WorkerConfig = JSON.parse(
      readFileSync(join(owner.folder, 'production.wrangler.json'), 'utf8'),
    );
    const hosts = ['hop.example.com', 'old.example.com', 'older.example.com'];
    expect(config.routes).toEqual(hosts.map((pattern) => ({ pattern, custom_domain: true })));
    expect(config).toMatchObject({ workers_dev: false, preview_urls: false });
  });

  it('gives every rate limit of every environment a number of its own', () => {
    const idsOf = (name: string) =>
      (workerConfig(readBaseConfig(), name, { vars: {} }, () => 'id').ratelimits ?? []).map(
        ({ namespace_id }) => namespace_id,
      );
    const ids = [...idsOf('production'), ...idsOf('staging')];
    expect(ids.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf('production')).toEqual(ids.slice(0, ids.length / 2));
    expect(ids.every((id) => /^[1-9]\d{1,8}$/.test(id))).toBe(true);
  });

  it('finds its files wherever the configuration is written', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const config: WorkerConfig = JSON.parse(
      readFileSync(join(owner.folder, 'production.wrangler.json'), 'utf8'),
    );
    const files = [config.main, config.assets.directory];
    expect(files.filter((file) => !isAbsolute(file))).toEqual([]);
    expect(config.build?.cwd).toBe(ROOT);
    // wrangler uploads the bundle as it is, to the account that was checked.
    expect(config).toMatchObject({
      account_id: platform.account.id,
      no_bundle: true,
      find_additional_modules: false,
      minify: false,
    });
  });

  it('[T48] the Worker’s configuration has the flag for requests to its own zone', async () => {
    const owner = machine(await newPlatform());
    await owner.deploy();
    const config: WorkerConfig = JSON.parse(
      readFileSync(join(owner.folder, 'production.wrangler.json'), 'utf8'),
    );
    expect(config.compatibility_flags).toContain('global_fetch_strictly_public');
    expect(readBaseConfig().compatibility_flags).toEqual(config.compatibility_flags);
  });
});
