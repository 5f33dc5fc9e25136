import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/shared/place.ts';
import { deploy } from './deploy.ts';
import { pressButton } from './testing/fake-button.ts';
import type { FakePlatform } from './testing/fake-platform.ts';
import { fakeWrangler } from './testing/fake-wrangler.ts';
import { machine, newFolder, newPlatform, type Overrides } from './testing/machine.ts';
import { openTools, runWrangler } from './tools.ts';
import { readBaseConfig, type WorkerConfig } from './worker-config.ts';
import { IN_A_BUILD, NO_MAIL_YET, readBuild } from './workers-builds.ts';

const ORIGIN = 'https://my-hop.example.workers.dev';
const FORM = {
  worker: 'my-hop',
  database: 'my-database',
  namespace: 'my-links',
  clicks: 'my-clicks',
  secrets: { ADMIN_CLAIM: 'only-the-deployer-has-this' },
};
/** The variables that Workers Builds sets. The tag is that of every Worker of the fake. */
const builderEnv = (platform: FakePlatform, workerName = 'my-hop') => ({
  ...platform.env,
  CI: 'true',
  WORKERS_CI: '1',
  WORKERS_CI_BRANCH: 'main',
  WORKERS_CI_COMMIT_SHA: '0123456789abcdef0123456789abcdef01234567',
  CLOUDFLARE_ACCOUNT_ID: platform.account.id,
  WRANGLER_CI_OVERRIDE_NAME: workerName,
  WRANGLER_CI_MATCH_TAG: 'tag',
});

/** Runs the deploy command as a build does: in a clean clone, without stored settings. */
async function build(platform: FakePlatform, base: WorkerConfig, overrides: Overrides = {}) {
  const env = builderEnv(platform);
  const owner = machine(platform);
  const { isLogged, revision } = await openTools(env);
  const request = { ...owner.request(overrides), account: env.CLOUDFLARE_ACCOUNT_ID };
  await deploy({ ...request, build: readBuild(env) }, { ...owner.tools, isLogged, revision }, base);
  return owner;
}
const workerOf = (platform: FakePlatform) => platform.account.workers.get('my-hop');
const secretOf = (platform: FakePlatform) => workerOf(platform)?.secrets.get('AUTH_SECRET');
const varsOf = (platform: FakePlatform): Record<string, string | undefined> =>
  Object.fromEntries(
    (workerOf(platform)?.versions[0]?.bindings ?? []).map(({ name, text }) => [name, text]),
  );

describe('the first build of the Deploy to Cloudflare button', () => {
  it('[T39] makes an installation on workers.dev from the provisioned resources', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    // A table of the platform in an empty database.
    platform.account.database('my-database').exec('CREATE TABLE _cf_KV (key)');
    const names = platform.account.names();
    const owner = await build(platform, base);
    expect(owner.lines).toEqual(expect.arrayContaining([IN_A_BUILD, NO_MAIL_YET]));
    expect(platform.account.names()).toEqual(names);
    expect(workerOf(platform)?.isOnWorkersDev).toBe(true);
    expect(varsOf(platform)).toMatchObject({ APP_ORIGIN: ORIGIN, AUTH_AUTOCONFIRM: 'on' });
    expect(
      platform.account.database('my-database').prepare('SELECT count(*) AS n FROM users').get(),
    ).toEqual({ n: 0 });
    expect(owner.smoked).toEqual([ORIGIN]);
    expect(workerOf(platform)?.versions[0]?.annotations['workers/tag']).toBe('0123456');
    const config: WorkerConfig = JSON.parse(
      readFileSync(join(owner.folder, 'production.wrangler.json'), 'utf8'),
    );
    expect(config).toMatchObject({
      name: 'my-hop',
      d1_databases: [{ database_id: base.d1_databases[0]?.database_id }],
      kv_namespaces: [{ id: base.kv_namespaces[0]?.id }],
    });
    expect(config.queues.producers[0]?.queue).toBe('my-clicks');
    expect(platform.unknown).toEqual([]);
  });

  it('[T39] gives every installation an AUTH_SECRET of its own and prints no secret', async () => {
    const platforms = await Promise.all([newPlatform(), newPlatform()]);
    const owners = await Promise.all(
      platforms.map((platform) => build(platform, pressButton(platform.account, FORM))),
    );
    const secrets = platforms.map(secretOf);
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const log = owners.flatMap(({ lines }) => lines).join('\n');
    for (const secret of [...secrets, FORM.secrets.ADMIN_CLAIM]) expect(log).not.toContain(secret);
    expect(log).toContain(`open ${ORIGIN}/admin/claim# followed by the value of ADMIN_CLAIM`);
    expect(log).not.toMatch(/admin\/claim#[\w-]{20}/);
  });

  it('keeps an AUTH_SECRET that the Worker has', async () => {
    const platform = await newPlatform();
    const secrets = { ...FORM.secrets, AUTH_SECRET: 'kept with the other secrets of its owner' };
    await build(platform, pressButton(platform.account, { ...FORM, secrets }));
    expect(secretOf(platform)).toBe(secrets.AUTH_SECRET);
  });

  it('uses the plan of the form', async () => {
    const platform = await newPlatform();
    const vars = {
      WORKERS_PLAN: 'free',
      SUPABASE_URL: 'https://project.example.com',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    };
    const { lines } = await build(platform, pressButton(platform.account, { ...FORM, vars }));
    expect(lines).not.toContain(NO_MAIL_YET);
    expect(varsOf(platform)).toMatchObject({
      ...vars,
      AUTH_AUTOCONFIRM: 'off',
      DATABASE_LIMIT_MB: '500',
    });
  });

  it('stops before any change if a renamed queue has no consumer', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    for (const producer of base.queues.producers) producer.queue = 'renamed';
    const writes = platform.writes.length;
    await expect(build(platform, base)).rejects.toThrow(/queue "renamed".*no consumer/);
    expect(platform.writes.length).toBe(writes);
  });

  it.each([
    ['hop-webhooks', 'hooks', 'must end with -webhooks'],
    ['clicks-dead', 'lost-clicks', 'must end with -dead'],
    ['my-clicks', 'my-clicks-dead', 'must not end with -dead'],
  ])('stops before any change if %s was renamed to %s', async (from, to, rule) => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    base.queues = JSON.parse(JSON.stringify(base.queues).replaceAll(`"${from}"`, `"${to}"`));
    await expect(build(platform, base)).rejects.toThrow(`queue "${to}" ${rule}`);
  });

  it('consumes every queue of CLICK_QUEUES, also if the first was renamed', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, { ...FORM, vars: { CLICK_QUEUES: '2' } });
    const { folder } = await build(platform, base, { choices: { concurrency: 4 } });
    const { queues }: WorkerConfig = JSON.parse(
      readFileSync(join(folder, 'production.wrangler.json'), 'utf8'),
    );
    const ofClicks = queues.consumers.filter(({ queue }) => queue.includes('my-clicks'));
    expect(ofClicks.map(({ max_concurrency }) => max_concurrency)).toEqual([4, 4]);
    const consumed = queues.consumers.map(({ queue }) => queue);
    expect(consumed).toEqual(expect.arrayContaining(queues.producers.map(({ queue }) => queue)));
    expect(queues.producers.length).toBe(3);
  });

  it('never replaces a Worker that has another database', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    platform.account.addVersion('my-hop', [{ type: 'd1', name: 'DATA', id: 'of another product' }]);
    const [version] = workerOf(platform)?.versions ?? [];
    platform.account.deploy('my-hop', [{ version_id: version?.id ?? '', percentage: 100 }]);
    await expect(build(platform, base)).rejects.toThrow(/is not this product/);
  });

  it('creates what is missing if a fork was connected by hand', async () => {
    const platform = await newPlatform();
    const base = readBaseConfig();
    await build(platform, base);
    expect(platform.account.names()).toEqual(
      expect.arrayContaining(['d1 hop', 'kv hop-links', 'queue clicks', 'worker my-hop']),
    );
  });

  it('passes the checks of the real wrangler, which deploys to the connected Worker', async () => {
    const platform = await newPlatform();
    const { build: _, ...base } = pressButton(platform.account, FORM);
    const folder = newFolder();
    writeFileSync(
      join(folder, 'index.js'),
      'export default { fetch() {}, queue() {} }; export class ClickCounter {} export class PasswordHasher {}',
    );
    base.main = relative(ROOT, join(folder, 'index.js'));
    base.assets.directory = relative(ROOT, newFolder());
    base.name = 'my-old-name';
    const env = { ...process.env, ...builderEnv(platform) };
    const fake = fakeWrangler(platform.account);
    const owner = machine(platform, (args) =>
      args[0] === 'deploy' ? runWrangler(args, env) : fake(args),
    );
    owner.tools.bundle = () => Promise.resolve(join(folder, 'index.js'));
    await deploy({ ...owner.request(), build: readBuild(env) }, owner.tools, base);
    expect([...platform.account.workers.keys()]).toEqual(['my-hop']);
    expect(secretOf(platform)).toMatch(/^[\w-]{43}$/);
    expect(platform.unknown).toEqual([]);
  });
});

describe('a later build', () => {
  it('upgrades the installation and keeps its secrets', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    await build(platform, base);
    const [names, secret] = [platform.account.names(), secretOf(platform)];
    const { lines } = await build(platform, base);
    expect(platform.account.names()).toEqual(names);
    expect(secretOf(platform)).toBe(secret);
    expect(lines.join('\n')).toContain('time-travel restore my-database --bookmark');
    expect(lines.join('\n')).not.toMatch(/Create the|new AUTH_SECRET/);
  });

  it('deploys a variable that was changed in wrangler.toml', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    await build(platform, base);
    base.vars['MAIL_FROM'] = 'hop@example.com';
    base.vars['LOG_SAMPLE_RATE'] = '1';
    await build(platform, base);
    expect(varsOf(platform)).toMatchObject({
      APP_ORIGIN: ORIGIN,
      MAIL_FROM: 'hop@example.com',
      LOG_SAMPLE_RATE: '1',
      AUTH_AUTOCONFIRM: 'off',
    });
  });
});

describe('a trial that moves to a domain', () => {
  const hosts = { APP_ORIGIN: 'https://hop.example.com', EXTRA_HOSTS: new URL(ORIGIN).host };

  it('keeps the address on workers.dev if wrangler.toml names both', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    await build(platform, base);
    await expect(
      build(platform, { ...base, vars: { ...base.vars, APP_ORIGIN: hosts.APP_ORIGIN } }),
    ).rejects.toThrow(/--also-host my-hop\.example\.workers\.dev/);
    await build(platform, { ...base, vars: { ...base.vars, ...hosts } });
    expect(varsOf(platform)).toMatchObject(hosts);
    expect([...platform.account.domains]).toEqual([['hop.example.com', 'my-hop']]);
    expect(workerOf(platform)?.isOnWorkersDev).toBe(true);
  });

  it('moves from a machine with a clone, and the next build keeps its hosts', async () => {
    const platform = await newPlatform();
    const base = pressButton(platform.account, FORM);
    await build(platform, base);
    const owner = machine(platform);
    await deploy(
      owner.request({
        vars: { APP_ORIGIN: hosts.APP_ORIGIN },
        alsoHosts: [hosts.EXTRA_HOSTS],
      }),
      owner.tools,
      base,
    );
    expect([...platform.account.workers.keys()]).toEqual(['my-hop']);
    expect(varsOf(platform)).toMatchObject(hosts);
    // Only production has the names in wrangler.toml.
    const vars = { APP_ORIGIN: 'https://staging.example.com' };
    await deploy(owner.request({ name: 'staging', vars }), owner.tools, base);
    expect(platform.account.domains.get('staging.example.com')).toMatch(/-staging/);
    await deploy(owner.request(), owner.tools, base);
    await build(platform, base);
    expect(varsOf(platform)).toMatchObject(hosts);
    expect(platform.account.domains.get('hop.example.com')).toBe('my-hop');
  });
});
