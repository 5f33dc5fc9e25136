import { formatDateInUtc } from '#web/shared/texts/format.ts';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import type { DaysOfRange, Range, ReportRange } from '#contract/reports/ranges.ts';
import { startOfMonth, utcDate } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';

/** A range with a name, or own days (UTC), both included. */
export type Selection = { range: Range } | { from: string; to: string };

/** The range of a report that the address does not name. */
export const DEFAULT_RANGE = '30d';
const DEFAULT_DAYS = 30;

/** `label` is on the buttons and `name` in a sentence. */
const RANGE_NAMES: Readonly<Record<Range, { label: string; name: string }>> = {
  today: { label: 'Today', name: 'today' },
  '24h': { label: '24 h', name: 'the last 24 hours' },
  '7d': { label: '7 days', name: 'the last 7 days' },
  '30d': { label: '30 days', name: 'the last 30 days' },
  '90d': { label: '90 days', name: 'the last 90 days' },
  '12m': { label: '12 months', name: 'the last 12 months' },
  all: { label: 'All', name: 'all time' },
};

/** The ranges that are always in view. The others are in a menu. */
export const MAIN_RANGES = ['24h', '7d', '30d', '90d', 'all'] as const satisfies readonly Range[];

export const labelOf = (range: Range): string => RANGE_NAMES[range].label;

const isRange = (text: string): text is Range => Object.hasOwn(RANGE_NAMES, text);
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns the range in the address, or null if it names none. */
export function parseSelection(query: URLSearchParams): Selection | null {
  const [from, to] = [query.get('from'), query.get('to')];
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  const range = query.get('range') ?? '';
  return isRange(range) ? { range } : null;
}

/** Returns the parameters of the address for a range; '' removes one. */
export const rangeParams = (
  selection: Selection | null,
): { range: string; from: string; to: string } =>
  selection === null
    ? { range: '', from: '', to: '' }
    : 'range' in selection
      ? { range: selection.range, from: '', to: '' }
      : { range: '', ...selection };

/** Returns the query of a request: 'range=7d', 'from=2026-10-01&to=2026-10-31'. */
export const searchOf = (selection: Selection | null): string =>
  new URLSearchParams(selection ?? { range: DEFAULT_RANGE }).toString();

export const isSame = (one: Selection, other: Selection): boolean =>
  searchOf(one) === searchOf(other);

/** Returns the range for use in a sentence: 'the last 7 days', 'Oct 1 – 31, 2026'. */
export const describeSelection = (selection: Selection): string =>
  'range' in selection
    ? RANGE_NAMES[selection.range].name
    : formatDateInUtc(Date.parse(selection.from), Date.parse(selection.to));

/** Returns the range that a report was made for. */
export const selectionOf = ({
  range,
  period,
}: {
  range: ReportRange;
  period: DaysOfRange;
}): Selection =>
  range === 'custom' ? { from: period.from ?? period.to, to: period.to } : { range };

/** True if the link is younger than the default range, which then shows its whole life. */
export const isYoung = ({
  url,
  generatedAt,
}: Pick<AnalyticsResponse, 'url' | 'generatedAt'>): boolean =>
  Date.parse(generatedAt) - Date.parse(url.created_at) < DEFAULT_DAYS * DAY_MS;

/** Returns the calendar month (UTC) that is `months` before the current one. */
export function monthBefore(now: number, months: number): Selection {
  const to = months === 0 ? now : startOfMonth(now, 1 - months) - DAY_MS;
  return { from: utcDate(startOfMonth(now, -months)), to: utcDate(to) };
}

/** Returns the range of a report for use in a sentence. */
export const describePeriod = (report: Parameters<typeof selectionOf>[0]): string =>
  describeSelection(selectionOf(report));

/** Returns when the clicks of a report were: 'in the last 7 days', 'today'. */
export function describeInRange(report: Parameters<typeof selectionOf>[0]): string {
  const name = describePeriod(report);
  return report.range === 'today' ? name : `in ${name}`;
}
