import type { Page } from '@playwright/test';

/** Holds back the answers to requests that match `url`, until the function this resolves with is called. */
export async function holdAnswers(page: Page, url: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
