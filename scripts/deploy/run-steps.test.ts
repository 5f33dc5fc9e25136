import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deploy } from './deploy.ts';
import { machine, newPlatform, ORIGIN } from './testing/machine.ts';

const optionOf = (args: readonly string[], name: string): string =>
  args[args.indexOf(name) + 1] ?? '';

it.each([true, false])(
  'the file with the new secret is deleted after the upload: %s',
  async (ok) => {
    const owner = machine(await newPlatform());
    let file = '';
    const tools: typeof owner.tools = {
      ...owner.tools,
      wrangler: async (args, env) => {
        if (args[0] !== 'deploy') return owner.tools.wrangler(args, env);
        file = optionOf(args, '--secrets-file');
        expect(statSync(file).mode & 0o777).toBe(0o600);
        if (!ok) throw new Error('the upload failed');
        return owner.tools.wrangler(args, env);
      },
    };
    const run = deploy(owner.request({ vars: { APP_ORIGIN: ORIGIN } }), tools);
    await (ok ? run : expect(run).rejects.toThrow('the upload failed'));
    expect([file.endsWith('secrets.json'), existsSync(file)]).toEqual([true, false]);
  },
);

it('a share of the requests is taken from the version that answers most of them', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy();
  const { account } = platform;
  const versionId = account.workers.get('hop-production')?.versions[0]?.id ?? '';
  const { id } = account.addVersion('hop-production', []);
  account.deploy('hop-production', [
    { version_id: id, percentage: 20 },
    { version_id: versionId, percentage: 80 },
  ]);
  // The deployed settings are read from the first version of a split.
  account.workers.get('hop-production')?.versions[0]?.bindings.push({
    type: 'd1',
    name: 'DB',
    id: [...account.databases.keys()][0] ?? '',
  });
  await owner.upgrade({ percent: 30 });
  const worker = account.workers.get('hop-production');
  expect(worker?.deployments[0]?.versions).toEqual([
    { version_id: worker?.versions[0]?.id, percentage: 30 },
    { version_id: versionId, percentage: 70 },
  ]);
});

it('a release that fails its smoke test stays, and the way back is named', async () => {
  const owner = machine(await newPlatform());
  const failing = { ...owner.tools, smoke: () => Promise.resolve(false) };
  const request = owner.request({ vars: { APP_ORIGIN: ORIGIN } });
  await expect(deploy(request, failing)).rejects.toThrow(
    `The smoke test of ${ORIGIN} failed. The release is deployed; \`npm run deploy -- rollback --env production\` returns to the one before.`,
  );
  expect(owner.lines.join('\n')).toContain('/admin/claim');
  const steps = owner.lines.flatMap((line) => /^\d+\/\d+ /.exec(line)?.[0] ?? []);
  const last = steps.length;
  expect([steps[0], steps.at(-1)]).toEqual([`1/${last} `, `${last}/${last} `]);
});

it('another machine takes only the settings that differ from wrangler.toml', async () => {
  const platform = await newPlatform();
  await machine(platform).deploy();
  platform.account.workers
    .get('hop-production')
    ?.versions[0]?.bindings.push(
      { type: 'plain_text', name: 'UNKNOWN', text: 'of an older release' },
      { type: 'secret_text', name: 'BLOG', text: 'not read' },
    );
  const other = machine(platform);
  await other.upgrade();
  expect(JSON.parse(readFileSync(join(other.folder, 'production.json'), 'utf8')).vars).toEqual({
    APP_ORIGIN: ORIGIN,
  });
});

it('a deleted link with a reserved alias is not listed', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  await owner.deploy();
  platform.account
    .database('hop-production')
    .exec(
      `INSERT INTO links (code, target, target_host, created_at, updated_at, status) VALUES ('docs', 'https://a.example/', 'a.example', 0, 0, 'deleted'), ('admin', 'https://a.example/', 'a.example', 0, 0, 'active'), ('API', 'https://a.example/', 'a.example', 0, 0, 'active')`,
    );
  await owner.upgrade();
  expect(owner.lines.filter((line) => /^ +\/\S+$/.test(line))).toEqual([
    '     /API',
    '     /admin',
  ]);
});

it('an account with all the databases that its plan allows is told so', async () => {
  const platform = await newPlatform();
  platform.account.databaseLimit = 0;
  await expect(machine(platform).deploy()).rejects.toThrow(
    /^The account has as many D1 databases as its plan allows\. Delete one/,
  );
});

it('an account without R2 is told to enable it, and the deployment then continues', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  platform.account.hasR2 = false;
  await expect(owner.deploy()).rejects.toThrow(
    /R2, which holds the backups, is not enabled in this account\. Enable it/,
  );
  platform.account.hasR2 = true;
  await owner.deploy();
  expect(platform.account.names()).toContain('worker hop-production');
});

it('a deployment waits when the platform limits its requests, and takes few of them', async () => {
  const platform = await newPlatform();
  const owner = machine(platform);
  platform.limit.spend(1190);
  await owner.deploy();
  expect(platform.account.names()).toContain('worker hop-production');
  expect(platform.limit.spent).toBeLessThan(60);
});
