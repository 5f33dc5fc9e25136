import { expect, it } from 'vitest';
import { bundleMinified } from '#scripts/build/bundle.ts';
import { run } from '#scripts/shared/place.ts';
import { destroy } from './destroy.ts';
import { rollBack } from './roll-back.ts';
import type { Tools } from './run-steps.ts';
import type { FakePlatform } from './testing/fake-platform.ts';
import { fakeWrangler } from './testing/fake-wrangler.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';
import { runWrangler } from './tools.ts';

const gitStatus = async () =>
  (await run('/usr/bin/env', ['git', 'status', '--porcelain'], { quiet: true })).output;
const creations = (platform: FakePlatform) =>
  platform.writes.filter((write) => /^POST .*\/(database|namespaces|queues|buckets)$/.test(write));

it('an installation lives from its deployment to its end with the real wrangler', async () => {
  const platform = await newPlatform();
  const env = { ...process.env, ...platform.env };
  const { account } = platform;
  const real: Tools['wrangler'] = (args, more) => runWrangler(args, { ...env, ...more });
  let wrangler = real;
  const owner = machine(platform, (...args) => wrangler(...args));
  owner.tools.bundle = bundleMinified;
  const repository = await gitStatus();

  // The migrations fail once, and every step is interrupted once before it runs.
  account.failingSql = 'admin_claims';
  const { print } = owner.tools;
  const interrupted = new Set<string>();
  owner.tools.print = (line) => {
    print(line);
    const [, step] = /^\d+\/\d+ +([^,]+)/.exec(line) ?? [];
    if (step === undefined || interrupted.has(step)) return;
    interrupted.add(step);
    throw new Error(step);
  };
  const stops: string[] = [];
  const isDone = (): Promise<boolean> =>
    owner.deploy().then(
      () => true,
      (error: Error) => {
        stops.push(error.message.split(' ')[0] ?? '');
        if (error.message.startsWith('`wrangler d1')) account.failingSql = null;
        // One upload of the real wrangler is enough here.
        if (account.workers.size > 0) wrangler = fakeWrangler(account);
        return false;
      },
    );
  while (stops.length < 20 && !(await isDone()));
  expect(stops.join(' ')).toBe(
    `Store ${'Create '.repeat(6)}Write Note Apply \`wrangler Build Upload Add List Print Wait`,
  );
  expect(creations(platform).length).toBe(6);
  Object.assign(owner.tools, { print });
  wrangler = real;
  const worker = account.workers.get('hop-production');
  const hosts = () => [...account.domains.keys()].toSorted();
  const secret = worker?.secrets.get('AUTH_SECRET');
  expect(hosts()).toEqual(['hop.example.com']);
  expect(worker?.schedules).toEqual(['* * * * *']);
  expect(
    [...account.queues.values()].map(({ name, consumers }) => `${name} ${consumers.length}`),
  ).toEqual(expect.arrayContaining(['hop-production-clicks 1', 'hop-production-clicks-dead 1']));
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(owner.lines.join('\n')).not.toContain(secret);
  expect(owner.lines.join('\n')).toMatch(new RegExp(`${ORIGIN}/admin/claim#[\\w-]{43}`));
  // Both attempts that came so far printed a link.
  expect(
    account.database('hop-production').prepare('SELECT count(*) AS n FROM admin_claims').get(),
  ).toEqual({ n: 2 });

  // An upgrade for a tenth of the requests, then for all of them.
  const [first] = worker?.versions ?? [];
  owner.tools.revision = 'def456';
  await owner.upgrade({ percent: 10 });
  expect(worker?.deployments[0]?.versions).toEqual([
    { version_id: worker?.versions[0]?.id, percentage: 10 },
    { version_id: first?.id, percentage: 90 },
  ]);
  expect(worker?.versions[0]?.annotations['workers/tag']).toBe('def456');
  expect(worker?.versions[0]?.secrets.get('AUTH_SECRET')).toBe(secret);
  // From here on the fake wrangler: nothing else depends on how the real one uploads.
  wrangler = fakeWrangler(account);
  const next = machine(platform, undefined, owner.folder);
  next.tools.revision = 'def456';
  await next.upgrade();
  owner.tools.revision = 'abc123';

  // A changed secret, and two rollbacks: both end at the first release.
  expect(worker?.putSecret('TURNSTILE_SECRET_KEY', 'new')).toBeNull();
  for (const _ of [1, 2]) {
    await rollBack(owner.request(), undefined, owner.tools);
    expect(worker?.live?.id).toBe(first?.id);
  }

  // A secret is rotated meanwhile, and the running release moves to another host.
  expect(worker?.putSecret('AUTH_SECRET', 'rotated')).toMatchObject({ code: 10215 });
  worker?.patchLatest({ AUTH_SECRET: 'rotated' });
  expect([worker?.live?.id, worker?.secrets.get('AUTH_SECRET')]).toEqual([first?.id, secret]);
  await expect(owner.upgrade({ vars: { APP_ORIGIN: 'https://new.example.com' } })).rejects.toThrow(
    'Nothing was changed',
  );
  await owner.upgrade({
    vars: { APP_ORIGIN: 'https://new.example.com' },
    alsoHosts: ['hop.example.com'],
  });
  expect(worker?.live?.annotations['workers/tag']).toBe('abc123');
  expect(worker?.secrets.get('AUTH_SECRET')).toBe('rotated');
  expect(hosts()).toEqual(['hop.example.com', 'new.example.com']);

  // A second environment is destroyed, and the first one stays.
  const production = account.names();
  await next.deploy({ name: 'staging', vars: { APP_ORIGIN: 'https://staging.example.com' } });
  const end = (name: string) =>
    destroy({ ...owner.request({ name }), confirm: () => Promise.resolve(true) }, owner.tools);
  await end('staging');
  expect(account.names()).toEqual(production);
  await end('production');
  expect(account.names()).toEqual([]);

  expect(platform.unknown).toEqual([]);
  expect(await gitStatus()).toBe(repository);
});
