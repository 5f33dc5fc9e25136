import { findFullChromium, NO_CHROMIUM } from '#scripts/test/chromium.ts';

/**
 * Stops the run before any server starts if there is no browser. Playwright requires a default
 * export.
 */
export default function requireChromium(): void {
  if (findFullChromium() === undefined) throw new Error(NO_CHROMIUM);
}
