import { test as base, expect } from '@playwright/test';
import { newAddress } from './address.ts';
import { Watch } from './watch.ts';

type Fixtures = {
  /** Everything that goes wrong in the browser; a test that ends with something unexpected in it fails. */
  watch: Watch;
};

/** Playwright's `test` with a watch over the browser's console and an address of each test's own. */
export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ ...extraHTTPHeaders, 'CF-Connecting-IP': newAddress() }),
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = new Watch(context, baseURL ?? '');
      await use(watch);
      watch.expectNothing();
    },
    { auto: true },
  ],
});

export { expect };
