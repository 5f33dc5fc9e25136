import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  runInOrder,
  sumUp,
  tallyPlaywright,
  tallyVitest,
  withRunnerFailure,
  type Suite,
} from './tally.ts';

function report(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-tally-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('counts a vitest file that failed to load as a failure', () => {
  const counts = {
    numPassedTests: 3,
    numFailedTests: 0,
    numFailedTestSuites: 1,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  const testResults = [
    {
      name: resolve('a.test.ts'),
      message: 'Cannot find module',
      status: 'failed',
      assertionResults: [],
    },
  ];
  expect(tallyVitest(report({ ...counts, testResults }))).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts\nCannot find module'],
  });
});

it('names the failed tests of a vitest file', () => {
  const counts = {
    numPassedTests: 1,
    numFailedTests: 1,
    numFailedTestSuites: 1,
    numPendingTests: 0,
    numTodoTests: 0,
  };
  const assertionResults = [
    { fullName: 'links are kept', status: 'passed', failureMessages: [] },
    { fullName: 'links are found', status: 'failed', failureMessages: ['expected 1 to be 2'] },
  ];
  const testResults = [
    { name: resolve('worker/b.test.ts'), message: '', status: 'failed', assertionResults },
  ];
  expect(tallyVitest(report({ ...counts, testResults }))).toMatchObject({
    failed: 1,
    failures: ['worker/b.test.ts › links are found\nexpected 1 to be 2'],
  });
});

it('counts a missing report as a failure', () => {
  expect(tallyVitest('/nowhere/report.json').failed).toBe(1);
  expect(tallyPlaywright('/nowhere/report.json').failed).toBe(1);
});

it('counts a browser test that passed only on a retry as a failure', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 2, skipped: 1 };
  expect(tallyPlaywright(report({ stats, errors: [{}], suites: [] }))).toEqual({
    passed: 5,
    failed: 4,
    skipped: 1,
    failures: [],
  });
});

it('names the failed browser tests of all groups', () => {
  const spec = (title: string, ok: boolean, message?: string) => ({
    title,
    file: 'home.e2e.ts',
    ok,
    tests: [{ results: [message === undefined ? {} : { error: { message } }] }],
  });
  const group = { specs: [spec('opens', true), spec('closes', false, 'Timeout')] };
  const suites = [{ specs: [spec('shortens', false)], suites: [group] }];
  const stats = { expected: 1, unexpected: 2, flaky: 0, skipped: 0 };
  expect(tallyPlaywright(report({ stats, errors: [], suites })).failures).toEqual([
    'e2e/home.e2e.ts › shortens\n',
    'e2e/home.e2e.ts › closes\nTimeout',
  ]);
});

it('counts a runner that failed without a failed test as one, with its last output', () => {
  const passed = { passed: 3, failed: 0, skipped: 0 };
  const result = { code: 1, output: `${'x'.repeat(5000)}Unhandled Rejection` };
  const { failed, failures = [] } = withRunnerFailure('web', result, passed);
  expect({ failed, length: failures.length }).toEqual({ failed: 1, length: 1 });
  expect(failures[0]).toMatch(/^The web runner .*exit code 1.*\n[x]+Unhandled Rejection$/);
  expect(failures[0]?.length).toBeLessThan(4200);
  expect(withRunnerFailure('web', { ...result, code: 0 }, passed)).toBe(passed);
  const withFailure = { ...passed, failed: 2 };
  expect(withRunnerFailure('web', result, withFailure)).toBe(withFailure);
});

it('a suite that throws or runs no test counts as a failure, and the next one runs', async () => {
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  const tally = { passed: 0, failed: 0, skipped: 2 };
  const suites: Suite[] = [
    { name: 'worker', run: () => Promise.reject(new Error('no Chromium')) },
    { name: 'web', run: () => Promise.resolve(tally) },
    { name: 'browser', run: (file) => Promise.resolve({ ...tally, passed: file.length }) },
  ];
  const last = { ...tally, passed: '/x/browser.json'.length };
  const failed = { passed: 0, failed: 1, skipped: 0 };
  const all = await runInOrder(suites, '/x', false);
  expect(all).toEqual([failed, { ...tally, failed: 1 }, last]);
  expect(complained.mock.calls.flat()).toEqual(['no Chromium', 'No web test ran.']);
  expect(await runInOrder(suites.slice(1), '/x', true)).toEqual([tally, last]);
  complained.mockRestore();
});

it('a run fails with a failed test and without a passed one', () => {
  const codeOf = (passed: number, failed: number) => sumUp([{ passed, failed, skipped: 1 }]).code;
  expect([codeOf(2, 0), codeOf(2, 1), codeOf(0, 0)]).toEqual([0, 1, 1]);
});

it('the output ends with `N passed, N failed`', () => {
  expect(
    sumUp([
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    ]).line,
  ).toBe('5 passed, 1 failed');
  expect(sumUp([{ passed: 2, failed: 0, skipped: 4 }]).line).toBe('2 passed, 0 failed, 4 skipped');
});
