import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '#scripts/shared/markdown.ts';
import { run } from '#scripts/shared/place.ts';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import type { Tools } from './run-steps.ts';
import type { FakePlatform } from './testing/fake-platform.ts';
import { machine, newFolder, newPlatform, ORIGIN, type Overrides } from './testing/machine.ts';

const secretOf = (platform: FakePlatform, worker = 'hop-production') =>
  platform.account.workers.get(worker)?.secrets.get('AUTH_SECRET');
const gitStatus = async () =>
  (await run('/usr/bin/env', ['git', 'status', '--porcelain'], { quiet: true })).output;
const creations = (platform: FakePlatform) =>
  platform.writes.filter((write) => /^POST .*\/(database|namespaces|queues|buckets)$/.test(write));

describe('a deployment', () => {
  it('resumes after the connection broke at any write, and ends as if it had not', async () => {
    const expected = await newPlatform();
    await machine(expected).deploy();
    // A deployment continues without the history, which is its last write.
    const writes = expected.writes.filter((write) => !write.endsWith('/history.ndjson')).length;
    expect(writes).toBeGreaterThanOrEqual(4);
    for (let at = 1; at <= writes; at++) {
      const platform = await newPlatform();
      const owner = machine(platform);
      platform.breakAfterWrite(at);
      await expect(owner.deploy()).rejects.toThrow();
      await owner.deploy();
      expect(platform.account.names()).toEqual(expected.account.names());
    }
  });

  it('[T39] prints no link for the first administrator where others can read the log', async () => {
    const owner = machine(await newPlatform());
    owner.tools.isLogged = true;
    await owner.deploy();
    expect(owner.lines.join('\n')).toMatch(
      /^(?![^]*\/admin\/claim#)[^]*npm run admin -- claim --env production/,
    );
  });

  it('[T39] creates nothing the second time, keeps the secret, and notes a restore point', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const [names, secret, created] = [
      platform.account.names(),
      secretOf(platform),
      creations(platform).length,
    ];
    await owner.upgrade();
    expect(platform.account.names()).toEqual(names);
    expect(creations(platform).length).toBe(created);
    expect(secretOf(platform)).toBe(secret);
    expect(owner.lines.join('\n')).toContain(
      'time-travel restore hop-production --bookmark 00000001-',
    );
    expect(readFileSync(join(owner.folder, 'production.history.ndjson'), 'utf8')).toContain(
      '"deploys":"abc123"',
    );
  });

  it('an upgrade keeps the restore points of earlier upgrades', async () => {
    const owner = machine(await newPlatform());
    await owner.deploy();
    await owner.upgrade();
    owner.tools.revision = 'def456';
    await owner.upgrade();
    const history = readFileSync(join(owner.folder, 'production.history.ndjson'), 'utf8');
    expect(history).toMatch(/"deploys":"abc123"[^]*"deploys":"def456"/);
  });

  it('upgrades a share of the requests', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    // No release takes the other requests yet.
    await owner.deploy({ percent: 10 });
    expect(owner.lines.at(-1)).toBe(`\n${ORIGIN} is deployed.`);
    const secret = secretOf(platform);
    await owner.upgrade({ percent: 10 });
    const [second, first] = platform.account.workers.get('hop-production')?.versions ?? [];
    expect(platform.account.workers.get('hop-production')?.deployments[0]?.versions).toEqual([
      { version_id: second?.id, percentage: 10 },
      { version_id: first?.id, percentage: 90 },
    ]);
    expect(secretOf(platform)).toBe(secret);
  });

  it('takes the settings of a deployment that another machine made', async () => {
    const platform = await newPlatform();
    await machine(platform).deploy({ vars: { APP_ORIGIN: ORIGIN, MAIL_FROM: 'hop@example.com' } });
    const other = machine(platform);
    await other.upgrade();
    expect(JSON.parse(readFileSync(join(other.folder, 'production.json'), 'utf8'))).toEqual({
      account: platform.account.id,
      vars: { APP_ORIGIN: ORIGIN, MAIL_FROM: 'hop@example.com' },
    });
  });

  it('a deployment uploads nothing if the running release fails on the new schema', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    platform.account
      .database('hop-production')
      .exec(`DELETE FROM d1_migrations WHERE name LIKE '0027%'`);
    const commands: (string | undefined)[] = [];
    const tools: Tools = {
      ...owner.tools,
      smoke: () => Promise.resolve(false),
      wrangler: ([command]) => Promise.resolve(String(commands.push(command))),
    };
    await expect(deploy(owner.request(), tools)).rejects.toThrow(/running release/);
    expect(commands).toEqual(['d1']);
  });

  it('lists links whose alias is now reserved, and no others', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const insert = platform.account
      .database('hop-production')
      .prepare(
        `INSERT INTO links (code, target, target_host, created_at, updated_at, status) VALUES (?, 'https://a.example/', 'a.example', 0, 0, ?)`,
      );
    for (const code of ['Docs', '_old', 'mine']) insert.run(code, 'active');
    insert.run('API', 'deleted');
    await owner.upgrade();
    expect(owner.lines.filter((line) => /^ +\/\S+$/.test(line)).map((line) => line.trim())).toEqual(
      ['/Docs', '/_old'],
    );
  });

  it('a deployment never shares its name with an environment that can be destroyed', async () => {
    const platform = await newPlatform();
    const owner = machine(platform);
    await owner.deploy();
    const production = platform.account.names();
    await owner.deploy({ name: 'staging', vars: { APP_ORIGIN: 'https://staging.example.com' } });
    const staging = platform.account.names().filter((name) => !production.includes(name));
    expect(staging.length).toBe(production.length);
    expect(staging.every((name) => name.includes('staging'))).toBe(true);

    const wanted = {
      environment: owner.request({ name: 'staging' }).environment,
      account: undefined,
    };
    await expect(
      destroy({ ...wanted, confirm: () => Promise.resolve(false) }, owner.tools),
    ).rejects.toThrow(/Nothing was deleted/);
    expect(platform.account.names().length).toBe(2 * production.length);
    await destroy(
      { ...wanted, confirm: (name) => Promise.resolve(name === 'staging') },
      owner.tools,
    );
    expect(platform.account.names()).toEqual(production);
  });

  it.each<[string, RegExp, (platform: FakePlatform) => unknown, Overrides]>([
    [
      'an address that no domain of the account holds',
      /No domain of this account/,
      () => 0,
      { vars: { APP_ORIGIN: 'https://hop.test' } },
    ],
    [
      'an address with a DNS record',
      /already has a DNS record \(A 192.0.2.1\)/,
      (p) => p.account.dnsRecords.set('hop.example.com', 'A 192.0.2.1'),
      {},
    ],
    [
      'an address of another Worker',
      /already has the Worker shop/,
      (p) => p.account.domains.set('hop.example.com', 'shop'),
      {},
    ],
    [
      'a Worker of that name that is another product',
      /that is not this product/,
      (p) => p.account.addVersion('hop-production', []),
      {},
    ],
    ['an account on the free plan', /--plan free/, (p) => (p.account.plans = []), {}],
    [
      'the free plan with the embedded sign-in',
      /hosted sign-in/,
      () => 0,
      { vars: { APP_ORIGIN: ORIGIN, WORKERS_PLAN: 'free' } },
    ],
    [
      'a misspelled variable',
      /MAIL_FORM is not a variable/,
      () => 0,
      { vars: { APP_ORIGIN: ORIGIN, MAIL_FORM: 'a@example.com' } },
    ],
    [
      'another account’s address on workers.dev',
      /is not this Worker’s address/,
      () => 0,
      { vars: { APP_ORIGIN: 'https://hop.other.workers.dev' } },
    ],
  ])('[T39] changes nothing for %s', async (_, problem, arrange, overrides) => {
    const platform = await newPlatform();
    arrange(platform);
    const names = platform.account.names();
    await expect(machine(platform).deploy(overrides)).rejects.toThrow(problem);
    expect(platform.account.names()).toEqual(names);
    expect(platform.writes).toEqual([]);
  });

  it('asks which account to use, and says what it could not check', async () => {
    const platform = await newPlatform();
    platform.account.others.push({ id: 'f'.repeat(32), name: 'Another account' });
    platform.account.plans = null;
    const owner = machine(platform);
    await expect(owner.deploy()).rejects.toThrow(/several accounts[^]*Another account/);
    await owner.deploy({
      account: platform.account.id,
      vars: { APP_ORIGIN: ORIGIN, MAIL_FROM: 'Hop <hop@example.com>' },
    });
    const notes = owner.lines.filter((line) => line.startsWith('Note: ')).join('\n');
    expect(notes).toContain('may not read the account’s plan');
    expect(notes).toContain('npx wrangler email sending enable example.com`');
    await owner.upgrade({ vars: { MAIL_FROM: 'new@example.com' } });
    expect(owner.lines.join('\n')).toContain(
      'MAIL_FROM changes from "Hop <hop@example.com>" to "new@example.com".',
    );
  });

  it('replaces a DNS record and uses workers.dev when asked to', async () => {
    const platform = await newPlatform();
    platform.account.dnsRecords.set('hop.example.com', 'A 192.0.2.1');
    const owner = machine(platform);
    await owner.deploy({ replacesDns: true });
    await owner.deploy({
      name: 'test',
      vars: { APP_ORIGIN: 'https://hop-test.example.workers.dev' },
    });
    const config: object = JSON.parse(
      readFileSync(join(owner.folder, 'test.wrangler.json'), 'utf8'),
    );
    expect(config).toMatchObject({ workers_dev: true, routes: [] });
  });
});

describe('npm run deploy -- --dry-run', () => {
  it('a dry run prints the plan without account or network, and changes no file', async () => {
    const before = await gitStatus();
    const env = {
      CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1',
      CLOUDFLARE_API_TOKEN: undefined,
      HOME: newFolder(),
    };
    const args = [
      'scripts/deploy/npm-deploy.ts',
      '--dry-run',
      '--env',
      'dryrun',
      '--origin',
      ORIGIN,
    ];
    const { code, output } = await run(process.execPath, args, { env, quiet: true });
    expect(output).toContain('Create the D1 database hop-dryrun');
    expect(output).toContain(`run the smoke test against ${ORIGIN}`);
    expect(output).toContain('Note: MAIL_FROM is not set');
    expect(code).toBe(0);
    expect(await gitStatus()).toBe(before);
    expect(readText('.gitignore').split('\n')).toContain('/deploy/');
  });
});
