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
  // A prerendered page is there before the application. Tests act once that has started; first-paint.e2e.ts tests the time before.
  page: async ({ page }, use) => {
    const started = () =>
      page.waitForFunction(() => document.getElementById('root') === null || Reflect.get(window, 'hopStarted') === true);
    const goto = page.goto.bind(page);
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (options?.waitUntil !== 'commit') await started();
      return response;
    };
    await use(page);
  },
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
