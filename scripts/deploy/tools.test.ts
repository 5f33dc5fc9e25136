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

it('a product that cannot be reached fails its smoke test', async () => {
  const { smoke } = await openTools({ CLOUDFLARE_API_TOKEN: 'token' });
  expect(await smoke('http://127.0.0.1:1')).toBe(false);
});

it('a failing wrangler is a problem with its output, without its last arguments', async () => {
  const failed = runWrangler(['no', 'such', 'command', 'a-secret'], {});
  await expect(failed).rejects.toThrow(DeployError);
  await expect(failed).rejects.toThrow(/^`wrangler no such command` failed:\n/);
});
