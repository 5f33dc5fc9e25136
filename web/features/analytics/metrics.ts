import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { formatNumber, numberFormat, plural } from '#contract/language.ts';
import type { ChartTally } from './chart-series.ts';

export type Metric = 'clicks' | 'visitors' | 'per-visitor';

const formatRatio = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 2 });

export const RANGE_TOO_LONG = 'Choose a shorter range to compare it with the one before.';
export const NO_CLICKS_IN_RANGE = 'No clicks in this range';
/** With fewer clicks, weekdays and hours would show chance as a pattern. */
export const PATTERN_FROM = 100;

/** The three figures of the chart. `title` heads the chart, `meaning` says what is counted. */
export const METRICS = [
  {
    value: 'clicks',
    label: 'Total Clicks',
    title: 'Clicks by Date',
    column: 'Clicks',
    meaning: 'By people.',
    format: formatNumber,
    describe: (value: number) => plural(value, 'click'),
  },
  {
    value: 'visitors',
    label: 'Unique Visitors',
    title: 'Visitors by date',
    column: 'Visitors',
    meaning: 'Each person counts once per day, at their first click.',
    format: formatNumber,
    describe: (value: number) => plural(value, 'visitor'),
  },
  {
    value: 'per-visitor',
    label: 'Clicks per visitor',
    title: 'Clicks per visitor by date',
    column: 'Clicks per visitor',
    meaning:
      'Total clicks divided by unique visitors. People whose browser asks not to be tracked count as clicks only.',
    format: formatRatio,
    describe: (value: number) => `${formatRatio(value)} clicks per visitor`,
  },
] as const satisfies readonly {
  value: Metric;
  label: string;
  title: string;
  column: string;
  meaning: string;
  format: (value: number) => string;
  describe: (value: number) => string;
}[];

export type MetricInfo = (typeof METRICS)[number];

/** Returns the metric in the URL, or clicks for any other text. */
export const findMetric = (text: string | null): MetricInfo =>
  METRICS.find(({ value }) => value === text) ?? METRICS[0];

/** Returns null if the divisor is zero. */
export function metricValue(metric: Metric, { clicks, visitors }: ChartTally): number | null {
  if (metric === 'clicks') return clicks;
  if (metric === 'visitors') return visitors;
  return visitors === 0 ? null : clicks / visitors;
}

/**
 * Returns the clicks that the cards divide up. They cover whole days, so for 24 hours they exceed
 * the total.
 */
export const clicksOfDays = ({
  range,
  analytics,
}: {
  range: AnalyticsResponse['range'];
  analytics: Pick<AnalyticsResponse['analytics'], 'totalClicks' | 'clicksByDevice'>;
}): number =>
  range === '24h'
    ? Object.values(analytics.clicksByDevice).reduce((sum, n) => sum + n, 0)
    : analytics.totalClicks;

/** Formats 0.254 as '25%' and 0.004 as '<1%'. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
