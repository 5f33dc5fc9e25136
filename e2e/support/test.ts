import { randomInt } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { Watch } from './watch.ts';

type Fixtures = {
  /** Everything that goes wrong in the browser; a test that ends with something unexpected in it fails. */
  watch: Watch;
};

/** An address from the range for documentation, so that one test's rate limit is not another's. */
export const newAddress = (): string => `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`;

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
