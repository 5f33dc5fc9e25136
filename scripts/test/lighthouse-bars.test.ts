import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { judgePage, type PageReport } from './lighthouse-bars.ts';

const printed = () => vi.mocked(console.log).mock.calls.flat().join('\n');
beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue());
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const audit = (numericValue: number) => ({ score: 1, title: 'An audit', numericValue });
/** The report of a page that just meets the bars of public pages, apart from `over`. */
const reportOf = (
  scores: Record<string, number> = {},
  audits: PageReport['audits'] = {},
): PageReport => ({
  categories: Object.fromEntries(
    Object.entries({
      performance: 98,
      accessibility: 100,
      'best-practices': 100,
      seo: 100,
      ...scores,
    }).map(([name, score]) => [name, { score: score / 100 }]),
  ),
  audits: {
    'cumulative-layout-shift': audit(0.02),
    'first-contentful-paint': audit(1_200),
    'largest-contentful-paint': audit(1_800),
    ...audits,
  },
});

it('a page that just meets its bars passes, and its failed audits are listed', () => {
  const slow = { score: 0.89, title: 'Reduce JavaScript', displayValue: '9 KB' };
  judgePage('/', [reportOf({}, { 'unused-javascript': slow })]);
  expect(process.exitCode).toBeUndefined();
  expect(printed()).toMatch(/^ {2}performance +98 {2}\(98 to 98, bar 98\) {2}ok$/m);
  expect(printed()).toMatch(/ 0\.020 {2}\(0\.020 to 0\.020, bar 0\.02\) {2}ok$/m);
  expect(printed()).toContain('  - Reduce JavaScript 9 KB');
  expect(printed()).not.toContain('An audit');
});

it.each<[string, PageReport]>([
  ['a score', reportOf({ performance: 97 })],
  ['a missing score', { ...reportOf(), categories: {} }],
  ['a layout shift', reportOf({}, { 'cumulative-layout-shift': audit(0.021) })],
  ['a paint', reportOf({}, { 'largest-contentful-paint': audit(1_801) })],
])('a page with %s beyond its bar fails', (_, report) => {
  judgePage('/pricing', [report]);
  expect(process.exitCode).toBe(1);
});

it('the median decides, and pages of members have bars of their own', () => {
  judgePage('/', [reportOf({ performance: 20 }), reportOf(), reportOf({ performance: 99 })]);
  judgePage('/dashboard', [
    reportOf({ performance: 90, seo: 0 }, { 'largest-contentful-paint': audit(9_000) }),
  ]);
  expect(process.exitCode).toBeUndefined();
  expect(printed()).toContain('(20 to 99, bar 98)');
});
