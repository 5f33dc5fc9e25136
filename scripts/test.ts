/**
 * `npm test`: Worker tests (inside workerd), web tests, tests of the commands and budgets, browser
 * tests. Its last line is `N passed, N failed`; it fails on any failure, and when a kind ran no
 * test. `npm test -- NAME` runs only the test files whose path contains NAME, of the kinds that
 * have one.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from './build-web.ts';
import { ensureChromium } from './chromium.ts';
import { run } from './place.ts';
import { sumUp, tallyPlaywright, tallyVitest, withRunnerFailure, type Tally } from './tally.ts';
import { makeTestFolder } from './test-folder.ts';

const wanted = process.argv.slice(2);
const folder = makeTestFolder();
// All that the tests start inherits it.
process.env['TMPDIR'] = folder;

type Part = { name: string; run: (report: string) => Promise<Tally> };

const unitTests: Part[] = ['worker', 'web', 'scripts'].map((project) => ({
  name: project,
  run: async (report) => {
    console.log(`\n── ${project} tests ──`);
    const args = [
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    const result = await run('vitest', [...args, ...named('--passWithNoTests')], { echo: true });
    return withRunnerFailure(project, result, tallyVitest(report));
  },
}));

const browserTests: Part = {
  name: 'browser',
  run: async (report) => {
    const CHROMIUM = await ensureChromium();
    const args = [
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--reporter=list,json',
      ...named('--pass-with-no-tests'),
    ];
    const env = {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      CHROMIUM,
      HOP_E2E_STATE: join(folder, 'product'),
    };
    const result = await run('playwright', args, { env, quiet: true });
    browserOutput = result.output;
    return withRunnerFailure('browser', result, tallyPlaywright(report));
  },
};
/** Printed when everything has run, because the other tests print meanwhile. */
let browserOutput = '';

/**
 * The names given, with the flag by which a kind without such a file is no failure; nothing without
 * names.
 */
const named = (mayBeNone: string): string[] => (wanted.length > 0 ? [mayBeNone, ...wanted] : []);

/**
 * Runs `parts` one after the other. A part that throws, or runs no test although no names were
 * given, is one failure.
 */
async function runInOrder(parts: readonly Part[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const part of parts) {
    try {
      const tally = await part.run(join(folder, `${part.name}.json`));
      const hasRun = tally.passed + tally.failed > 0 || wanted.length > 0;
      if (!hasRun) console.error(`No ${part.name} test ran.`);
      tallies.push(hasRun ? tally : { ...tally, failed: 1 });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      tallies.push({ passed: 0, failed: 1, skipped: 0 });
    }
  }
  return tallies;
}

await ensureWebBuilt();
// Browser tests wait for pages most of the time, so the other tests run beside them.
const tallies = await Promise.all([runInOrder(unitTests), runInOrder([browserTests])]);
console.log(`\n── browser tests ──\n${browserOutput}`);
rmSync(folder, { recursive: true, force: true });

const sum = sumUp(tallies.flat());
// Again at the end, because a log may be cut. The browser's runner ends with its own list.
for (const failure of sum.failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${sum.line}`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
