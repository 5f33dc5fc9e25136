import type { Page } from '@playwright/test';

/**
 * Waits until the application runs, if the page has one. Keys that a page gets earlier open
 * nothing. By default Playwright asks in every frame, which makes the browser draw each.
 */
export async function untilStarted(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.getElementById('root') === null || Reflect.get(window, 'hopStarted') === true,
    undefined,
    { polling: 50 },
  );
}
