import { test as base, expect, type Page } from '@playwright/test';
import { newClientAddress } from './client-address.ts';
import { ErrorWatch } from './error-watch.ts';
import { untilStarted } from './until-started.ts';

type Fixtures = {
  /** Collects errors in the browser. The test fails on an error that it did not allow. */
  watch: ErrorWatch;
};

/**
 * A prerendered page shows before the application starts. Tests wait for the application in every
 * tab; first-paint.e2e.ts tests the time before.
 */
function waitForApplication(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== 'commit') await untilStarted(page);
    return response;
  };
}

/**
 * Playwright's `test`, with a check of the browser's console and a separate client address per
 * test.
 */
export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) =>
    use({ ...extraHTTPHeaders, 'CF-Connecting-IP': newClientAddress() }),
  context: async ({ context }, use) => {
    context.on('page', waitForApplication);
    await use(context);
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
