import type { Page } from '@playwright/test';

/** Holds back what the page asks of `url` until the returned function is called. */
export async function delayResponses(page: Page, url: string | RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
