import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sumUp, tallyPlaywright, tallyVitest } from './tally.ts';

function report(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hop-tally-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('a vitest file that failed to load is a failure, though no test of it ran', () => {
  const counts = { numPassedTests: 3, numFailedTests: 0, numFailedTestSuites: 1, numPendingTests: 0, numTodoTests: 0 };
  expect(tallyVitest(report(counts))).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a missing report is a failure', () => {
  expect(tallyVitest('/nowhere/report.json').failed).toBe(1);
  expect(tallyPlaywright('/nowhere/report.json').failed).toBe(1);
});

test('a browser test that passed only on a retry is a failure', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 2, skipped: 1 };
  expect(tallyPlaywright(report({ stats, errors: [{}] }))).toEqual({ passed: 5, failed: 4, skipped: 1 });
});

test('the closing line has the form that every CI reads', () => {
  expect(
    sumUp([
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    ]).line,
  ).toBe('5 passed, 1 failed');
  expect(sumUp([{ passed: 2, failed: 0, skipped: 4 }]).line).toBe('2 passed, 0 failed, 4 skipped');
});
