import { expect, it } from 'vitest';
import { runDeploy } from './command.ts';
import { deploy } from './deploy.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';
import { readBaseConfig } from './worker-config.ts';

/** A production with a release from before the Durable Object. */
async function deployedBefore() {
  const platform = await newPlatform();
  const owner = machine(platform);
  const { durable_objects: _, ...config } = readBaseConfig();
  owner.tools.revision = 'v1';
  await deploy(owner.request({ vars: { APP_ORIGIN: ORIGIN } }), owner.tools, config);
  owner.tools.revision = 'v2';
  const worker = platform.account.workers.get('hop-production');
  const rollBack = () => runDeploy(['rollback'], () => Promise.resolve(owner.tools), owner.folder);
  return { platform, owner, worker, rollBack };
}

it('the release that adds a Durable Object is not staged, and the next one can be', async () => {
  const { platform, owner, worker } = await deployedBefore();
  platform.writes.length = 0;
  await expect(owner.upgrade({ percent: 10 })).rejects.toThrow(
    'Nothing was changed:\n- This release brings the Durable Object ClickCounter',
  );
  expect(platform.writes).toEqual([]);
  await owner.upgrade();
  await owner.upgrade({ percent: 10 });
  expect(worker?.deployments[0]?.versions.map(({ percentage }) => percentage)).toEqual([10, 90]);
});

it('a rollback does not go to a release from before a Durable Object, and says so', async () => {
  const { platform, owner, worker, rollBack } = await deployedBefore();
  await owner.upgrade();
  platform.writes.length = 0;
  await expect(rollBack()).rejects.toThrow(
    'Nothing was changed: v1 does not have the Durable Object ClickCounter',
  );
  expect(platform.writes).toEqual([]);
  owner.tools.revision = 'v3';
  await owner.upgrade();
  await rollBack();
  expect(worker?.live?.annotations['workers/message']).toBe('v2');
});
