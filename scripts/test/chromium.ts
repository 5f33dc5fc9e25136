import { existsSync } from 'node:fs';
import { run } from '#scripts/shared/place.ts';

/** The headless shell saves a quarter of the CPU time of the browser tests. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const FULL_BROWSERS = [
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

const firstThere = (places: readonly string[]): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...places].find((place) => place !== '' && existsSync(place));

/** The system's Chromium (CHROMIUM names another), or undefined. */
export const findChromium = (): string | undefined =>
  firstThere([HEADLESS_SHELL, ...FULL_BROWSERS]);

/**
 * A Chromium that can load extensions and install sites as apps, which the headless shell cannot.
 * CHROMIUM names another one unless it names a headless shell.
 */
export const findFullChromium = (): string | undefined =>
  /headless[-_]shell/.test(process.env['CHROMIUM'] ?? '')
    ? FULL_BROWSERS.find((place) => existsSync(place))
    : firstThere(FULL_BROWSERS);

/** The advice to a person if `findFullChromium` finds nothing. */
export const NO_CHROMIUM =
  'The browser tests need Chromium, also the full browser beside its headless shell: install it (Debian: apt-get install chromium), or name it with CHROMIUM=/path.';

/**
 * Returns the system's Chromium for the browser tests. Installs it with apt if it is missing and we
 * may, with the full browser for the tests that need that. Otherwise throws with instructions.
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found && findFullChromium()) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests (apt-get install chromium) …');
    await aptGet('-q', 'update');
    // Ubuntu has no headless shell.
    await installWithFonts('chromium-headless-shell');
    const { code, output } = await installWithFonts('chromium');
    if (code !== 0) throw new Error(`Chromium could not be installed:\n${output.slice(-2000)}`);
  }
  const installed = findChromium();
  if (installed && findFullChromium()) return installed;
  throw new Error(NO_CHROMIUM);
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
