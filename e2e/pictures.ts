import { readArguments } from '#scripts/shared/arguments.ts';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { filmLink } from './support/film-link.ts';
import { withPictureBrowser } from './support/picture-host.ts';
import { newClientAddress } from './support/client-address.ts';
import { loadWholePage, shorten } from './support/screenshot.ts';
import { signInAs, type DemoOwner } from './support/sign-in.ts';

readArguments({
  usage: 'npm run generate -- pictures',
  about: `Takes the pictures of the product for README.md and docs/ from the demo data, in both color schemes,
then the film, and writes them to .github/. They are committed.`,
  options: {},
});

const FOLDER = resolve(import.meta.dirname, '../.github');
const SIZE_MAX = 170 * 1024;

type Picture = {
  name: string;
  path: string;
  who?: DemoOwner;
  after?: (page: Page) => Promise<unknown>;
};

const PICTURES: readonly Picture[] = [
  {
    name: 'home',
    path: '/',
    after: async (page) => {
      await shorten('https://www.example.org/a/long/way/to/what-you-mean?from=here&to=there')(page);
      await page.getByRole('img', { name: /QR code/ }).waitFor();
    },
  },
  { name: 'links', path: '/dashboard', who: 'admin' },
  { name: 'analytics', path: '/analytics/hono', who: 'admin' },
];

await withPictureBrowser(async (browser, origin) => {
  for (const { name, path, who, after } of PICTURES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({
        baseURL: origin,
        colorScheme,
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        extraHTTPHeaders: { 'CF-Connecting-IP': newClientAddress() },
      });
      if (who !== undefined) await signInAs(page, who);
      // A first visit may show the fallback font, because the page does not wait for its own.
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.reload({ waitUntil: 'networkidle' });
      await after?.(page);
      await page.waitForTimeout(250);
      await loadWholePage(page);
      // Hides the caret, hover effects and the scroll position, which do not belong in a picture.
      await page.mouse.move(0, 0);
      await page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        document.documentElement.style.scrollbarGutter = 'auto';
      });
      const file = `${FOLDER}/${name}-${colorScheme}.png`;
      await page.screenshot({ path: file });
      const { size } = statSync(file);
      console.log(`${name}-${colorScheme}.png: ${Math.ceil(size / 1024)} KB`);
      if (size > SIZE_MAX) {
        console.error(`${name}-${colorScheme}.png is larger than ${SIZE_MAX / 1024} KB.`);
        process.exitCode = 1;
      }
      await page.context().close();
    }
  }
  for (const colorScheme of ['light', 'dark'] as const)
    await filmLink(browser, origin, { colorScheme, isShort: false });
});
