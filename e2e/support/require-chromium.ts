import { findChromium } from '#scripts/test/chromium.ts';

/**
 * Stops the run before any server starts if there is no browser. Playwright requires a default
 * export.
 */
export default function requireChromium(): void {
  if (findChromium() === undefined)
    throw new Error(
      'The browser tests need Chromium: `npm test` installs it, or CHROMIUM=/path names it.',
    );
}
