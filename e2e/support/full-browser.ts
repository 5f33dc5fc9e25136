import { chromium, type BrowserContext } from '@playwright/test';
import { CHROMIUM_ARGS, findFullChromium, NO_CHROMIUM } from '#scripts/test/chromium.ts';

/**
 * Starts a full Chromium with a new profile, for what the headless shell does not have. The caller
 * closes it.
 */
export function startFullBrowser(args: readonly string[] = []): Promise<BrowserContext> {
  const executablePath = findFullChromium();
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launchPersistentContext('', {
    executablePath,
    // Playwright's own headless mode has no extensions.
    headless: false,
    args: ['--headless=new', ...CHROMIUM_ARGS, ...args],
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    // Otherwise Playwright adds the headers of the test, and CORS forbids unknown headers.
    extraHTTPHeaders: {},
  });
}
