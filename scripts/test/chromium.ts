import { existsSync } from 'node:fs';
import { run } from '#scripts/shared/place.ts';

const PLACES = [
  // The headless shell saves a quarter of the CPU time of the browser tests.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments for every start: root needs --no-sandbox, and the browser must not use the network. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
] as const;

/** The system's Chromium (CHROMIUM names another), or undefined. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...PLACES].find((place) => place !== '' && existsSync(place));

/**
 * Returns the system's Chromium, and installs it with apt if it is missing and we may. Otherwise
 * throws with instructions.
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(
      'Installing Chromium for the browser tests (apt-get install chromium-headless-shell) …',
    );
    await aptGet('-q', 'update');
    // Ubuntu has no headless shell.
    const headless = await installWithFonts('chromium-headless-shell');
    const { code, output } = headless.code === 0 ? headless : await installWithFonts('chromium');
    if (code !== 0) throw new Error(`Chromium could not be installed:\n${output.slice(-2000)}`);
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium), or name it with CHROMIUM=/path.',
  );
}

const aptGet = (...args: string[]) =>
  run('/usr/bin/apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, quiet: true });

const installWithFonts = (browser: string) =>
  aptGet(
    '-qy',
    'install',
    '--no-install-recommends',
    browser,
    'fonts-liberation',
    'fonts-noto-color-emoji',
  );
