import { test as base, expect } from '@playwright/test';
import { newClientAddress } from './client-address.ts';
import { ErrorWatch } from './error-watch.ts';

type Fixtures = {
  /** Collects errors in the browser. The test fails if it ends with one that it did not allow. */
  watch: ErrorWatch;
};

/** Playwright's `test`, with a check of the browser's console and a separate client address per test. */
export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ ...extraHTTPHeaders, 'CF-Connecting-IP': newClientAddress() }),
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = new ErrorWatch(context, baseURL ?? '');
      await use(watch);
      watch.expectNoErrors();
    },
    { auto: true },
  ],
});

export { expect };
