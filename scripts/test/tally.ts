import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';

/** `failures` names each failed test, for runners that do not end with such a list. */
export type Tally = { passed: number; failed: number; skipped: number; failures?: string[] };

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z._default(z.string(), ''),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});
const browserTest = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(z.object({ error: z.optional(z.object({ message: z.string() })) })),
    }),
  ),
});
/** A file of tests, or a group in one. */
type BrowserSuite = { suites?: BrowserSuite[] | undefined; specs: z.infer<typeof browserTest>[] };
const browserSuite: z.ZodMiniType<BrowserSuite> = z.object({
  suites: z.optional(z.array(z.lazy(() => browserSuite))),
  specs: z.array(browserTest),
});
const playwrightReport = z.object({
  suites: z.array(browserSuite),
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
});

const read = (file: string): unknown =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * Counts the results in a Vitest JSON report. A file that failed to load, and a missing report,
 * count as one failure each.
 */
export function tallyVitest(file: string): Tally {
  const report = vitestReport.safeParse(read(file));
  if (!report.success) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests, numTodoTests } =
    report.data;
  const failed =
    numFailedTests === 0 && numFailedTestSuites > 0 ? numFailedTestSuites : numFailedTests;
  return {
    passed: numPassedTests,
    failed,
    skipped: numPendingTests + numTodoTests,
    failures: failuresOf(report.data),
  };
}

/** Returns file, test and message of each failed test, and of each file that failed to load. */
function failuresOf({ testResults }: z.infer<typeof vitestReport>): string[] {
  return testResults.flatMap((file) => {
    const name = relative('.', file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [`${name}\n${file.message}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join('\n')}`,
    );
  });
}

/**
 * Counts the results in a Playwright JSON report. A test that only passed on a retry counts as
 * failed.
 */
export function tallyPlaywright(file: string): Tally {
  const report = playwrightReport.safeParse(read(file));
  if (!report.success) return { passed: 0, failed: 1, skipped: 0 };
  const { suites, errors, stats } = report.data;
  const failed = stats.unexpected + stats.flaky + errors.length;
  const failures = testsOf(suites)
    .filter(({ ok }) => !ok)
    .map((test) => {
      const [error] = test.tests.flatMap(({ results }) =>
        results.flatMap((run) => run.error ?? []),
      );
      return `e2e/${test.file} › ${test.title}\n${error?.message ?? ''}`;
    });
  return { passed: stats.expected, failed, skipped: stats.skipped, failures };
}

const testsOf = (suites: readonly BrowserSuite[]): BrowserSuite['specs'] =>
  suites.flatMap(({ specs, suites: groups = [] }) => [...specs, ...testsOf(groups)]);

/**
 * Adds a failure, named by the last output, if a runner failed without a failed test because it
 * crashed or a test leaked an error.
 */
export function withRunnerFailure(
  part: string,
  { code, output }: { code: number; output: string },
  tally: Tally,
): Tally {
  if (code === 0 || tally.failed > 0) return tally;
  const failure = `The ${part} runner ended with exit code ${code} and no failed test. Its last output:\n${output.slice(-4000)}`;
  return { ...tally, failed: 1, failures: [failure] };
}

export type Suite = { name: string; run: (report: string) => Promise<Tally> };

/**
 * Runs `suites` one after the other, with their reports in `folder`. A suite that throws, or that
 * runs no test unless it `mayBeEmpty`, counts as one failure.
 */
export async function runInOrder(
  suites: readonly Suite[],
  folder: string,
  mayBeEmpty: boolean,
): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const { name, run } of suites) {
    try {
      const tally = await run(join(folder, `${name}.json`));
      const hasRun = tally.passed + tally.failed > 0 || mayBeEmpty;
      if (!hasRun) console.error(`No ${name} test ran.`);
      tallies.push(hasRun ? tally : { ...tally, failed: 1 });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      tallies.push({ passed: 0, failed: 1, skipped: 0 });
    }
  }
  return tallies;
}

type Sum = Required<Tally> & { line: string; code: number };

/**
 * Adds up `tallies`, and writes the last line of a test run and its exit code. A run without a
 * passed test fails.
 */
export function sumUp(tallies: readonly Tally[]): Sum {
  const sum = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: tallies.flatMap(({ failures = [] }) => failures),
  };
  for (const tally of tallies) {
    sum.passed += tally.passed;
    sum.failed += tally.failed;
    sum.skipped += tally.skipped;
  }
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
  const code = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
  return { ...sum, line: `${sum.passed} passed, ${sum.failed} failed${skipped}`, code };
}
