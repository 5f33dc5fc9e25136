import type { Range } from '#contract/analytics.ts';

/** `days` is the length of a range; null for the whole life of the link. */
export const RANGE_OPTIONS: readonly { value: Range; label: string; days: number | null }[] = [
  { value: '24h', label: '24 h', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
  { value: 'all', label: 'All', days: null },
];

/** Returns the range in the URL, or 'all' for any other text. */
export const parseRange = (text: string | null): Range =>
  RANGE_OPTIONS.find((range) => range.value === text)?.value ?? 'all';

export const daysOf = (range: Range): number | null =>
  RANGE_OPTIONS.find(({ value }) => value === range)?.days ?? null;

/** Returns the range for use in a sentence: 'the last 7 days'. */
export function describeRange(range: Range): string {
  if (range === 'all') return 'all time';
  return range === '24h' ? 'the last 24 hours' : `the last ${daysOf(range)} days`;
}
