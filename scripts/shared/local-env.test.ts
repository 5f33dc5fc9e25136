import { expect, it, vi } from 'vitest';

const loaded = vi.hoisted(() => ({ wrangler: false }));
vi.mock('wrangler', () => {
  loaded.wrangler = true;
  return {};
});

it('help texts do not wait for wrangler, which loads on use', async () => {
  const { remoteConfig } = await import('./local-env.ts');
  await vi.dynamicImportSettled();
  expect(loaded.wrangler).toBe(false);
  await expect(remoteConfig('wrangler.toml')).rejects.toThrow('unstable_readConfig');
  expect(loaded.wrangler).toBe(true);
});
