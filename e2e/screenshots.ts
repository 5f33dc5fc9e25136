import { readArguments } from '#scripts/shared/arguments.ts';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '#scripts/test/chromium.ts';
import { withProduct } from '#scripts/local/product.ts';
import { SCREENSHOTS } from './support/screenshot-list.ts';
import { loadWholePage, type Screenshot } from './support/screenshot.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { newClientAddress } from './support/client-address.ts';

const { positionals } = readArguments({
  usage: 'npm run generate -- screenshots [NAME…]',
  about: `Writes a screenshot of every page, or of those named, to screenshots/ (not committed): in each
state, color scheme and width, and from right to left. Lists pages that scroll sideways.`,
  options: {},
});

const FOLDER = resolve(import.meta.dirname, '../screenshots');

type Colors = { name: string; colorScheme: 'light' | 'dark'; forcedColors: 'none' | 'active' };
const LIGHT: Colors = { name: 'light', colorScheme: 'light', forcedColors: 'none' };
const DARK: Colors = { name: 'dark', colorScheme: 'dark', forcedColors: 'none' };
/** Matches a Windows contrast theme. */
const FORCED: Colors = { name: 'forced', colorScheme: 'dark', forcedColors: 'active' };
/**
 * The page loads once per layout. `dir` is the direction that a browser uses after it has
 * translated the page into Arabic.
 */
const LAYOUTS: readonly {
  width: number;
  height: number;
  dir: 'ltr' | 'rtl';
  colors: readonly Colors[];
}[] = [
  { width: 360, height: 740, dir: 'ltr', colors: [LIGHT, DARK] },
  { width: 768, height: 1024, dir: 'ltr', colors: [LIGHT, DARK] },
  { width: 1280, height: 800, dir: 'ltr', colors: [LIGHT, DARK, FORCED] },
  { width: 1280, height: 800, dir: 'rtl', colors: [{ ...LIGHT, name: 'rtl' }] },
];

const BUSY_MS = 2_000;

/** Resolves when the page has sent no request for `ms` and is idle, or after BUSY_MS of work. */
async function untilQuiet(page: Page, ms: number): Promise<void> {
  let requests = -1;
  const count = (): void => void (requests += 1);
  page.on('request', count);
  page.on('requestfinished', count);
  while (requests !== 0) {
    requests = 0;
    await page.waitForTimeout(ms);
  }
  page.off('request', count);
  page.off('requestfinished', count);
  await page.evaluate(
    (timeout) => new Promise((done) => requestIdleCallback(done, { timeout })),
    BUSY_MS,
  );
}

async function takeScreenshot(
  browser: Browser,
  baseURL: string,
  screenshot: Screenshot,
): Promise<void> {
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
      screenshot.who === undefined
        ? null
        : await (screenshot.who === 'new' ? signInAsNew(page) : signInAs(page, screenshot.who));
    const prepared = await screenshot.before?.(page, { ...person?.headers });
    const path = typeof prepared === 'string' ? prepared : screenshot.path;
    for (const { width, height, dir, colors } of LAYOUTS) {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await page.setViewportSize({ width, height });
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.evaluate((value) => (document.documentElement.dir = value), dir);
      await screenshot.after?.(page);
      // The code of a dialog loads when it opens for the first time.
      if (screenshot.name.endsWith('-dialog'))
        await page.locator('[data-dialog-backdrop]').waitFor();
      // Skeletons appear after 150 ms, and failed requests are repeated before the page shows an
      // error.
      await untilQuiet(page, 250);
      await loadWholePage(page);
      // A dialog covers the window, not the page below it.
      const fullPage = !(await page.locator('[data-dialog-backdrop]').first().isVisible());
      for (const { name: colorsName, ...media } of colors) {
        await page.emulateMedia(media);
        const name = `${screenshot.name}-${screenshot.state}-${colorsName}-${width}`;
        await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage });
        files += 1;
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (overflow > 0) console.log(`${name}: ${overflow} px wider than the screen`);
      }
    }
  } finally {
    await context.close();
  }
}

let files = 0;
const wanted = positionals;
const screenshots = SCREENSHOTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((want) => name.includes(want)),
);
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
        console.error(
          `${screenshot.name} (${screenshot.state}): ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  } finally {
    await browser.close();
  }
});
console.log(`${files} files in screenshots/`);
