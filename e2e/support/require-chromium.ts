import { findChromium } from '#scripts/chromium.ts';

/** Stops a run without a browser before any server starts. Playwright wants a default export. */
export default function requireChromium(): void {
  if (findChromium() === undefined)
    throw new Error(
      'The browser tests need Chromium: `npm test` installs it, or CHROMIUM=/path names it.',
    );
}
