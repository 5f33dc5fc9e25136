import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '#scripts/test/chromium.ts';
import { freePort } from '#scripts/local/product.ts';
import { IS_SOAK, SOAK_TAG } from './support/soak.ts';
import { WAIT_MS } from './support/wait.ts';
import { STATE } from './support/state-folder.ts';

// Every worker process loads this file again and inherits the environment of the first load.
process.env['HOP_E2E_PORT'] ??= String(await freePort());
process.env['HOP_E2E_ELSEWHERE'] ??= String(await freePort());
const port = process.env['HOP_E2E_PORT'];
const elsewhere = process.env['HOP_E2E_ELSEWHERE'];
/**
 * Resolves every site under .example to a local server, so that redirects can be followed without a
 * network.
 */
const ELSEWHERE = [
  `--host-resolver-rules=MAP *.example 127.0.0.1:${elsewhere}`,
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
];
/** Code of a page runs for seconds. Optimizing it takes more time than that saves. */
const UNOPTIMIZED = '--js-flags=--no-opt,--no-maglev';
const origin = `http://localhost:${port}`;
const chromium = findChromium();

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  ...(IS_SOAK ? {} : { grepInvert: new RegExp(SOAK_TAG) }),
  // Fails with advice if there is no browser. This file cannot do that: `knip` reads it where no
  // browser is installed.
  globalSetup: [
    './support/require-chromium.ts',
    './support/claim-admin.ts',
    './support/sign-in-demo.ts',
  ],
  outputDir: '../test-results',
  // Tests share only the server. They mostly wait, so three workers keep two cores busy.
  fullyParallel: true,
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // Long, as `WAIT_MS` is. No test waits for it.
  timeout: 600_000,
  expect: { timeout: WAIT_MS, toPass: { timeout: WAIT_MS } },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Drawing animations takes a tenth of the run's CPU time. keyboard.e2e.ts and
    // first-paint.e2e.ts run with motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [...CHROMIUM_ARGS, ...ELSEWHERE, UNOPTIMIZED],
    },
    // Recording traces takes a third of the run's CPU time. To get one for a failure: `npm test
    // -- browser NAME --trace on`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  webServer: [
    {
      command: 'node e2e/support/serve-product.ts',
      cwd: '..',
      url: `${origin}/api/health`,
      timeout: 240_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
      stdout: 'ignore',
      stderr: 'pipe',
      env: { PORT: port, STATE_DIR: STATE },
    },
    {
      command: `node e2e/support/elsewhere.ts ${elsewhere}`,
      cwd: '..',
      url: `http://127.0.0.1:${elsewhere}/`,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    },
  ],
});
