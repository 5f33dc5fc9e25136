/**
 * `npm run screenshots [NAME…]` writes a screenshot of every page, in each state, colour scheme and width, and in the
 * system's own colours, to screenshots/ (not committed). It also lists the pages that scroll sideways.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '#scripts/chromium.ts';
import { withProduct } from '#scripts/product.ts';
import { SCREENSHOTS } from './support/screenshot-list.ts';
import type { Screenshot } from './support/screenshot.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { newClientAddress } from './support/client-address.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
const HEIGHTS = { 360: 740, 768: 1024, 1280: 800 } as const;
const WIDTHS = [360, 768, 1280] as const;
const VARIANTS = [
  ...WIDTHS.map((width) => ({ name: 'light', colorScheme: 'light', forcedColors: 'none', width }) as const),
  ...WIDTHS.map((width) => ({ name: 'dark', colorScheme: 'dark', forcedColors: 'none', width }) as const),
  // As Windows' contrast themes show it.
  { name: 'forced', colorScheme: 'dark', forcedColors: 'active', width: 1280 },
] as const;

async function takeScreenshot(browser: Browser, baseURL: string, screenshot: Screenshot): Promise<void> {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'CF-Connecting-IP': newClientAddress() },
  });
  try {
    const page = await context.newPage();
    const person =
      screenshot.who === undefined ? null : await (screenshot.who === 'new' ? signInAsNew(page) : signInAs(page, screenshot.who));
    const prepared = await screenshot.before?.(page, { ...person?.headers });
    const path = typeof prepared === 'string' ? prepared : screenshot.path;
    for (const { name: variant, colorScheme, forcedColors, width } of VARIANTS) {
      await page.emulateMedia({ colorScheme, forcedColors });
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await page.goto(path, { waitUntil: 'networkidle' });
      await screenshot.after?.(page);
      // Skeletons appear after 150 ms, and a failed request is repeated before the page shows an error.
      await page.waitForTimeout(250);
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 20_000 });
      const name = `${screenshot.name}-${screenshot.state}-${variant}-${width}`;
      await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (overflow > 0) console.log(`${name}: ${overflow} px wider than the screen`);
    }
  } finally {
    await context.close();
  }
}

const wanted = process.argv.slice(2);
const screenshots = SCREENSHOTS.filter(({ name }) => wanted.length === 0 || wanted.some((want) => name.includes(want)));
mkdirSync(FOLDER, { recursive: true });
const executablePath = await ensureChromium();
await withProduct(async (origin) => {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  try {
    for (const screenshot of screenshots) {
      try {
        await takeScreenshot(browser, origin, screenshot);
      } catch (error) {
        process.exitCode = 1;
        console.error(`${screenshot.name} (${screenshot.state}): ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await browser.close();
  }
});
console.log(`${screenshots.length * VARIANTS.length} files in screenshots/`);
