import { expect, it } from 'vitest';
import { rollBack } from './roll-back.ts';
import { machine, newPlatform } from './testing/machine.ts';

/** Production with the releases aaa, bbb and ccc, of which the last one runs. */
async function deployed() {
  const platform = await newPlatform();
  const owner = machine(platform);
  for (const revision of ['aaa', 'bbb', 'ccc']) {
    owner.tools.revision = revision;
    await owner.deploy();
  }
  const worker = platform.account.workers.get('hop-production');
  if (worker === undefined) throw new Error('The fake platform has no Worker.');
  owner.lines.length = 0;
  return {
    platform,
    owner,
    worker,
    rollBack: (version?: string) => rollBack(owner.request(), version, owner.tools),
    deploy: async (revision: string, percent = 100) => {
      owner.tools.revision = revision;
      await owner.upgrade({ percent });
    },
    /** The revision that answers all requests; null in a staged rollout. */
    running: () => {
      const [live, ...others] = worker.deployments[0]?.versions ?? [];
      const version = worker.versions.find(({ id }) => id === live?.version_id);
      return others.length > 0 ? null : version?.annotations['workers/tag'];
    },
    putSecret: () => platform.account.putSecret('hop-production', 'TURNSTILE_SECRET_KEY', 'new'),
  };
}

it('a rollback returns to the release before, and says from where to where first', async () => {
  const { owner, running, rollBack: back } = await deployed();
  await back();
  expect(running()).toBe('bbb');
  expect(owner.lines[0]).toMatch(/goes back from release ccc \(.*\) to release bbb \(version /);
});

it('a second rollback changes nothing and never goes forward', async () => {
  const { running, rollBack: back } = await deployed();
  await back();
  await expect(back()).rejects.toThrow(/Nothing was changed: .* already went back to release bbb/);
  expect(running()).toBe('bbb');
});

it('a rollback after a changed secret still leaves the running release', async () => {
  const { running, rollBack: back, putSecret } = await deployed();
  expect([putSecret(), putSecret()]).toEqual([true, true]);
  await back();
  expect(running()).toBe('bbb');
});

it('a rollback keeps the secret that the earlier release got last', async () => {
  const { worker, running, rollBack: back, putSecret, deploy } = await deployed();
  putSecret();
  const [withSecret] = worker.versions;
  await deploy('ddd');
  await back();
  expect(worker.deployments[0]?.versions[0]?.version_id).toBe(withSecret?.id);
  expect(running()).toBeUndefined();
});

it('a rollback ends a staged rollout, and skips a release that few requests saw', async () => {
  const { running, rollBack: back, deploy } = await deployed();
  await deploy('ddd', 10);
  expect(running()).toBeNull();
  await back();
  expect(running()).toBe('ccc');
  await deploy('eee');
  await back();
  expect(running()).toBe('ccc');
});

it('a second upload of a release is not the release before it', async () => {
  const { running, rollBack: back, deploy } = await deployed();
  await deploy('ccc');
  await back();
  expect(running()).toBe('bbb');
});

it('a version that is named is used, and an unknown one changes nothing', async () => {
  const { worker, running, rollBack: back } = await deployed();
  await back(worker.versions.at(-1)?.id);
  expect(running()).toBe('aaa');
  await expect(back('0000')).rejects.toThrow(/has no version 0000/);
  expect(running()).toBe('aaa');
});

it('the first release has none before it', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy();
  await expect(rollBack(owner.request(), undefined, owner.tools)).rejects.toThrow(
    /Nothing was changed: no release before release abc123/,
  );
});

it('an earlier release uploaded again never leads back to the later one', async () => {
  const { running, rollBack: back, putSecret, deploy } = await deployed();
  await back();
  expect(putSecret()).toBe(false);
  await deploy('bbb');
  expect(putSecret()).toBe(true);
  await back();
  expect(running()).toBe('aaa');
});
