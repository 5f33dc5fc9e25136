import { expect, it } from 'vitest';
import { DeployError } from './environment.ts';
import { openTools, runWrangler } from './tools.ts';

it.each([
  [{ CI: 'true' }, true],
  [{ CI: '' }, false],
  [{}, false],
])('with the variables %j others can read the output: %s', async (env, isLogged) => {
  expect((await openTools({ ...env, CLOUDFLARE_API_TOKEN: 'token' })).isLogged).toBe(isLogged);
});

it('a build is a release by the first seven digits of its commit', async () => {
  const env = { CLOUDFLARE_API_TOKEN: 'token', WORKERS_CI_COMMIT_SHA: '0123456789abcdef' };
  expect((await openTools(env)).revision).toBe('0123456');
});

it('a product that cannot be reached fails its smoke test', async () => {
  const { smoke } = await openTools({ CLOUDFLARE_API_TOKEN: 'token' });
  expect(await smoke('http://127.0.0.1:1')).toBe(false);
});

it('a failing wrangler is a problem with its output, without its last arguments', async () => {
  const failed = runWrangler(['no', 'such', 'command', 'a-secret'], {});
  await expect(failed).rejects.toThrow(DeployError);
  await expect(failed).rejects.toThrow(/^`wrangler no such command` failed:\n/);
});
