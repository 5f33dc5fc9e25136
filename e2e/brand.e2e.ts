import type { Page } from '@playwright/test';
import { delayResponses } from './support/delay-responses.ts';
import { expect, test } from './support/test.ts';
import { untilStarted } from './support/until-started.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** The typefaces that the browser really used to draw the text of an element. */
async function drawnFonts(page: Page, selector: string): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => `${familyName}, custom: ${isCustomFont}`);
}

for (const path of ['/', '/pricing'])
  test(`the first paint of ${path} has its headline in the brand's typeface`, async ({ page }) => {
    const releaseFonts = await delayResponses(page, /\.woff2$/);
    await page.addInitScript(() => {
      let shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value);
        document.documentElement.dataset['shift'] = String(shift);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(path, { waitUntil: 'commit' });
    const heading = page.locator('h1');
    await expect(heading).toBeVisible();
    await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
    expect(await drawnFonts(page, 'h1')).toEqual(['Geist, custom: true']);
    const before = await heading.boundingBox();
    releaseFonts();
    await untilStarted(page);
    await page.evaluate(() => document.fonts.ready.then(() => true));
    expect(await heading.boundingBox()).toEqual(before);
    expect(await page.locator('html').getAttribute('data-shift')).toBeNull();
  });
