/**
 * `npm run screenshots [NAME…]`: every page × light, dark × 360, 1280 px × its states, into screenshots/ (not committed).
 * Says which pages scroll sideways.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '#scripts/chromium.ts';
import { withProduct } from '#scripts/product.ts';
import { SHOTS, type Shot } from './support/shots.ts';
import { signInAs, signInAsNew } from './support/sign-in.ts';
import { newAddress } from './support/address.ts';

const FOLDER = resolve(import.meta.dirname, '../screenshots');
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;

async function take(browser: Browser, baseURL: string, shot: Shot): Promise<void> {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'CF-Connecting-IP': newAddress() },
  });
  try {
    const page = await context.newPage();
    const person = shot.who === undefined ? null : await (shot.who === 'new' ? signInAsNew(page) : signInAs(page, shot.who));
    const prepared = await shot.before?.(page, { ...person?.headers });
    const path = typeof prepared === 'string' ? prepared : shot.path;
    for (const colorScheme of SCHEMES) {
      for (const size of SIZES) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        await page.goto(path, { waitUntil: 'networkidle' });
        await shot.after?.(page);
        // Skeletons wait 150 ms before they show, and a failing read is tried again before it is called an error.
        await page.waitForTimeout(250);
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 20_000 });
        const name = `${shot.name}-${shot.state}-${colorScheme}-${size.width}`;
        await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (over > 0) console.log(`${name}: ${over} px wider than the screen`);
      }
    }
  } finally {
    await context.close();
  }
}

const wanted = process.argv.slice(2);
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.some((want) => name.includes(want)));
mkdirSync(FOLDER, { recursive: true });
const executablePath = await ensureChromium();
await withProduct(async (origin) => {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  try {
    for (const shot of shots) {
      try {
        await take(browser, origin, shot);
      } catch (error) {
        process.exitCode = 1;
        console.error(`${shot.name} (${shot.state}): ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await browser.close();
  }
});
console.log(`${shots.length * SCHEMES.length * SIZES.length} pictures in screenshots/`);
