import { exitOnHelp, helpOfParts, runPart, type Parts } from '#scripts/shared/arguments.ts';
import { rmSync, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureWebBuilt } from '#scripts/build/build-web.ts';
import { ensureChromium } from './chromium.ts';
import { ROOT, run } from '#scripts/shared/place.ts';
import {
  runInOrder,
  sumUp,
  tallyPlaywright,
  tallyVitest,
  withRunnerFailure,
  type Suite,
} from './tally.ts';
import { freemem, setPriority, tmpdir } from 'node:os';

/** Linux keeps files in this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run needs less than a tenth of this. */
const NEEDED_BYTES = 2e9;

/**
 * Creates a folder for the temporary files of a test run, which the caller deletes. It is in memory
 * if there is room, because local D1 waits for the disk on every write and tests make tens of
 * thousands.
 */
const makeTestFolder = (): string =>
  mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'hop-test-'));

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

const vitest = (project: string) => ['vitest', 'run', '--project', project] as const;
const playwright = ['playwright', 'test', '--config', 'e2e/playwright.config.ts'] as const;
const PARTS: Parts = {
  worker: { run: vitest('worker'), about: 'the tests inside workerd; arguments go to Vitest' },
  web: { run: vitest('web'), about: 'the tests of the pages and the extension' },
  scripts: {
    run: vitest('scripts'),
    about: 'the tests of the commands, the rules and the budgets',
  },
  browser: { run: playwright, about: 'the browser tests; arguments go to Playwright' },
  quick: { run: 'scripts/test/quick.ts', about: 'lint, types and unit tests of what changed' },
  soak: {
    run: 'scripts/test/soak.ts',
    about: 'all browser tests, and the models with new seeds',
  },
  fuzz: { run: 'scripts/test/fuzz.ts', about: 'random requests to the public API' },
  kill: { run: 'scripts/test/kill.ts', about: 'kills the server under load' },
  previous: {
    run: 'scripts/test/previous.ts',
    about: 'an earlier release on the schema of this one',
  },
  mutants: { run: 'scripts/test/mutants.ts', about: 'faults in the Worker that no test notices' },
  import: {
    run: [...playwright, 'organise.e2e.ts', '-g', 'imports a file'],
    env: { HOP_IMPORT_ROWS: '10000' },
    about: '10,000 rows through the browser; the gate does it with 250',
  },
};

const wanted = process.argv.slice(2);
const part = Object.hasOwn(PARTS, wanted[0] ?? '') ? PARTS[wanted[0] ?? ''] : undefined;
if (part !== undefined) process.exit(await runPart(part, wanted.slice(1)));
exitOnHelp(() =>
  helpOfParts(
    'npm test [-- NAME… | PART]',
    `All tests, the browser's included. The last line is \`N passed, N failed\`. NAME: only the test files
whose path contains it. A PART runs alone, with the arguments that follow it:`,
    PARTS,
  ),
);
const folder = makeTestFolder();
process.env['TMPDIR'] = folder;
// The tests start wrangler and other large programs a hundred times; parsing them once saves a
// tenth of that.
process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
// Playwright keeps compiled tests among the temporary files, which a run deletes. Each of its
// processes would compile them again.
process.env['PWTEST_CACHE_DIR'] ??= join(ROOT, 'node_modules', '.cache', 'hop', 'playwright');

/** What the suites that run beside the first ones printed. */
const printedLater: string[] = [];

/** The unit tests of a project. `echo` prints while they run, otherwise they print at the end. */
const unitTests = (project: string, { echo }: { echo: boolean }): Suite => ({
  name: project,
  run: async (report) => {
    const title = `\n── ${project} tests ──`;
    if (echo) console.log(title);
    const args = [
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...named('--passWithNoTests'),
    ];
    const result = await run('vitest', args, { echo, quiet: true });
    if (!echo) printedLater.push(title, result.output);
    return withRunnerFailure(project, result, tallyVitest(report));
  },
});

const browserTests: Suite = {
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
    printedLater.push('\n── browser tests ──', result.output);
    return withRunnerFailure('browser', result, tallyPlaywright(report));
  },
};

/**
 * Returns the names that the user gave, with the flag that allows a suite to have no test with such
 * a name. Returns nothing if no names were given.
 */
const named = (mayBeNone: string): string[] => (wanted.length > 0 ? [mayBeNone, ...wanted] : []);

const inOrder = (...suites: Suite[]) => runInOrder(suites, folder, wanted.length > 0);

await ensureWebBuilt();
const workerTests = inOrder(unitTests('worker', { echo: true }));
// The Worker's tests take the longest. What starts from here on inherits a lower priority and fills
// the time in which they wait.
setPriority(5);
const tallies = await Promise.all([
  workerTests,
  inOrder(unitTests('scripts', { echo: false })),
  inOrder(browserTests, unitTests('web', { echo: false })),
]);
console.log(printedLater.join('\n'));
rmSync(folder, { recursive: true, force: true });

const sum = sumUp(tallies.flat());
// Failures are printed again at the end, because a log may be cut.
for (const failure of sum.failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${sum.line}`);
process.exitCode = sum.code;
