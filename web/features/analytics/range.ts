import type { Range } from '#contract/analytics.ts';
import { rangeStart } from './series.ts';

export const RANGES: readonly { value: Range; label: string; days: number | null }[] = [
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
  { value: 'all', label: 'All', days: null },
];

/** The range in the URL; 'all' for anything else. */
export const parseRange = (text: string | null): Range => RANGES.find((range) => range.value === text)?.value ?? 'all';

/** The first UTC date that the chart of `range` shows; null for the first date with clicks. */
export function firstDayShown(range: Range, now: number): string | null {
  const days = RANGES.find(({ value }) => value === range)?.days ?? null;
  return days === null ? null : rangeStart(now, days);
}
