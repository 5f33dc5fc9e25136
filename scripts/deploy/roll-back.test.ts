import { expect, it } from 'vitest';
import { runDeploy } from './command.ts';
import { machine, newPlatform } from './testing/machine.ts';

/** A production to which the releases `v1`, `v2`, … were deployed in this order. */
async function deployed(...releases: string[]) {
  const platform = await newPlatform();
  const owner = machine(platform);
  const deployRelease = async (release: string, options = {}) => {
    owner.tools.revision = release;
    await owner.deploy(options);
  };
  for (const release of releases) await deployRelease(release);
  const worker = platform.account.workers.get('hop-production');
  if (worker === undefined) throw new Error('The Worker is missing.');
  /** The message of the upload whose code answers most requests. */
  const running = () =>
    worker.versions.find(({ id }) => id === worker.live?.code)?.annotations['workers/message'];
  const rollBack = async (...args: string[]) => {
    owner.lines.length = 0;
    await runDeploy(['rollback', ...args], () => Promise.resolve(owner.tools), owner.folder);
  };
  return { platform, owner, worker, running, rollBack, deployRelease };
}

it('a rollback returns to the release before, and says from where to where first', async () => {
  const { worker, owner, running, rollBack } = await deployed('v1', 'v2', 'v3');
  const [from, to] = worker.versions;
  await rollBack();
  expect(running()).toBe('v2');
  expect(owner.lines.slice(0, 3)).toEqual([
    `From: v3 (version ${from?.id}, uploaded ${from?.created})`,
    `To:   v2 (version ${to?.id}, uploaded ${to?.created})`,
    'hop-production now runs v2.',
  ]);
});

it('from and to are printed before anything changes', async () => {
  const { owner, rollBack, running } = await deployed('v1', 'v2');
  const seen: (string | undefined)[] = [];
  owner.tools.print = (line) => void seen.push(`${line.slice(0, 5)} ${running()}`);
  await rollBack();
  expect(seen.slice(0, 3)).toEqual(['From: v2', 'To:   v2', 'hop-p v1']);
});

it('a second rollback stays where the first went, and does not go forward', async () => {
  const { owner, running, rollBack, platform } = await deployed('v0', 'v1', 'v2');
  await rollBack();
  platform.writes.length = 0;
  await rollBack();
  expect(running()).toBe('v1');
  expect(platform.writes).toEqual([]);
  expect(owner.lines[0]).toMatch(/^hop-production is rolled back already and runs v1 /);
  expect(owner.lines[1]).toMatch(/^To go back further, name a version:\n.*# v0$/);
  expect(owner.smoked.at(-1)).toBe('https://hop.example.com');
});

it('a rollback right after a change of a secret leaves the bad release', async () => {
  const { owner, worker, running, rollBack } = await deployed('v1', 'v2');
  expect(worker.putSecret('TURNSTILE_SECRET_KEY', 'new')).toBeNull();
  await rollBack();
  expect(running()).toBe('v1');
  expect(owner.lines.join('\n')).toContain('Secrets were changed since: TURNSTILE_SECRET_KEY.');
});

it('a rollback keeps the secrets that the release before had at last', async () => {
  const { worker, running, rollBack, deployRelease } = await deployed('v1');
  worker.putSecret('TURNSTILE_SECRET_KEY', 'a key');
  await deployRelease('v2');
  await rollBack();
  expect(running()).toBe('v1');
  expect(worker.secrets.get('TURNSTILE_SECRET_KEY')).toBe('a key');
});

it('a rollback passes over a bad release that was rolled back before', async () => {
  const { running, rollBack, deployRelease } = await deployed('v1', 'v2 bad');
  await rollBack();
  await deployRelease('v3');
  await rollBack();
  expect(running()).toBe('v1');
});

it('a rollback ends a staged rollout', async () => {
  const { worker, running, rollBack, deployRelease } = await deployed('v1', 'v2');
  await deployRelease('v3', { percent: 10 });
  await rollBack();
  expect(running()).toBe('v2');
  expect(worker.deployments[0]?.versions).toEqual([
    { version_id: worker.versions[1]?.id, percentage: 100 },
  ]);
});

it('a rollback ends a staged rollout of other variables in the same release', async () => {
  const { worker, owner, rollBack } = await deployed('v1');
  await owner.upgrade({ percent: 10, vars: { STATUS_PAGE: 'on' } });
  expect(owner.lines.at(-1)).toMatch(/answers 10% of the requests[^]* rollback --env production/);
  await rollBack();
  expect(worker.deployments[0]?.versions).toEqual([
    { version_id: worker.versions[1]?.id, percentage: 100 },
  ]);
});

it('a second upload of a release is not the release before', async () => {
  const { running, rollBack } = await deployed('v1', 'v2', 'v2');
  await rollBack();
  expect(running()).toBe('v1');
});

it('without an earlier release a rollback changes nothing and lists the versions', async () => {
  const { platform, worker, rollBack } = await deployed('v1');
  platform.writes.length = 0;
  await expect(rollBack()).rejects.toThrow(
    `Nothing was changed: the platform lists no deployment of an earlier release. Name a version:\n  npm run deploy -- rollback ${worker.versions[0]?.id} --env production   # v1`,
  );
  for (let at = 1; at <= 10; at++)
    platform.account.addVersion('hop-production', [], { 'workers/tag': `t${at}` });
  const refusal: unknown = await rollBack('no-version').catch((error: unknown) => error);
  expect(String(refusal)).toContain('there is no version no-version');
  // The last ten releases, the newest first.
  expect(String(refusal).match(/# \w+/g)).toEqual(
    Array.from({ length: 10 }, (_, at) => `# t${10 - at}`),
  );
  expect(platform.writes).toEqual([]);
});

it('ten changes of secrets hide the release before, which can still be named', async () => {
  const { worker, running, rollBack } = await deployed('v1', 'v2');
  const before = worker.versions[1]?.id ?? '';
  for (let at = 0; at < 10; at++) worker.putSecret('TURNSTILE_SECRET_KEY', String(at));
  await expect(rollBack()).rejects.toThrow(`rollback ${before} --env production   # v1`);
  await rollBack(before);
  expect(running()).toBe('v1');
});

it('a rollback names the hosts that the earlier version does not know', async () => {
  const { owner, rollBack, deployRelease } = await deployed('v1');
  const vars = { APP_ORIGIN: 'https://new.example.com' };
  await deployRelease('v2', { vars, alsoHosts: ['hop.example.com'] });
  await rollBack();
  expect(owner.lines.filter((line) => line.includes(' answers 421 now'))).toEqual([
    expect.stringMatching(/^new\.example\.com /),
  ]);
});

it('a bad release is no earlier one, whatever the number of its version', async () => {
  const { owner, running, rollBack, deployRelease } = await deployed('v1', 'v2 bad');
  await rollBack();
  await deployRelease('v1');
  await deployRelease('v3');
  await rollBack();
  expect(running()).toBe('v1');
  await rollBack();
  expect(owner.lines[1]).toBe('There is no earlier release.');
});

it('a secret is rotated in a rolled-back state without the bad release running', async () => {
  const { worker, running, rollBack, deployRelease } = await deployed('v1', 'v2 bad');
  await rollBack();
  expect(worker.putSecret('AUTH_SECRET', 'new')).toMatchObject({ code: 10215 });
  const ran: (string | undefined)[] = [];
  worker.patchLatest({ AUTH_SECRET: 'new' });
  ran.push(running());
  await deployRelease('v1');
  ran.push(running());
  expect(ran).toEqual(['v1', 'v1']);
  expect(worker.secrets.get('AUTH_SECRET')).toBe('new');
  expect(worker.putSecret('AUTH_SECRET', 'newer')).toBeNull();
});
