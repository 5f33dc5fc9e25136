import type { Page } from '@playwright/test';

/** Waits until the application runs. Keys that a page gets earlier open nothing. */
export async function untilStarted(page: Page): Promise<void> {
  await page.waitForFunction(() => Reflect.get(window, 'hopStarted') === true);
}
