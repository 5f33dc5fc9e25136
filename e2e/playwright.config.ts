import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '#scripts/chromium.ts';
import { localVars } from '#scripts/dev-vars.ts';
import { freePort } from '#scripts/product.ts';

// This file is read once more by every worker process, which inherits what the first reading decided.
const isFirstReading = process.env['HOP_E2E_PORT'] === undefined;
process.env['HOP_E2E_PORT'] ??= String(await freePort());
process.env['HOP_E2E_ELSEWHERE'] ??= String(await freePort());
/** A state folder of this run's own; it stays for a look after a failure, until the next run. */
const state = resolve(import.meta.dirname, '../.state/e2e');
const port = process.env['HOP_E2E_PORT'];
// Not the developer's own .dev.vars, which may point to a hosted sign-in service.
const vars = join(state, 'vars.env');
if (isFirstReading) {
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state, { recursive: true });
  writeFileSync(vars, localVars('a-secret-of-the-browser-tests-only'));
}
const elsewhere = process.env['HOP_E2E_ELSEWHERE'];
/** Every site under .example is a server of ours, so that a redirect can be followed to its end without a network. */
const ELSEWHERE = [
  `--host-resolver-rules=MAP *.example 127.0.0.1:${elsewhere}`,
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
];
const origin = `http://localhost:${port}`;
const chromium = findChromium();

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  // Says what to do where there is no browser. Not here: the check for unused code reads this file before `npm test` installs one.
  globalSetup: './support/require-chromium.ts',
  outputDir: '../test-results',
  // Tests share the server and nothing else. They wait more than they compute, so three keep two cores busy.
  fullyParallel: true,
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL: origin,
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: [...CHROMIUM_ARGS, ...ELSEWHERE] },
    // Recording a trace takes a third of the run's CPU time. To get one of a failure: `npm run test:e2e -- NAME --trace on`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  webServer: [
    {
      // The product as `npm start` serves it, demo data included, on a port and a state folder of its own.
      command: `node scripts/start.ts --log-level error --env-file ${vars}`,
      cwd: '..',
      url: `${origin}/api/health`,
      timeout: 240_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
      stdout: 'ignore',
      stderr: 'pipe',
      env: { PORT: port, STATE_DIR: state },
    },
    {
      command: `node e2e/support/elsewhere.ts ${elsewhere}`,
      cwd: '..',
      url: `http://127.0.0.1:${elsewhere}/`,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    },
  ],
});
