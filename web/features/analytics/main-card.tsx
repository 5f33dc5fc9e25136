import type { ReactNode } from 'react';
import type { AnalyticsResponse, FullReport } from '#contract/analytics.ts';
import { EXACT_VISITORS } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { formatNumber } from '#contract/language.ts';
import {
  CLOCK,
  formatAge,
  formatDate,
  formatUtcMonthDay,
  localDateFormat,
} from '#web/shared/format.ts';
import { firstHourOf24, showsHours } from './chart-series.ts';
import { ClicksChart } from './clicks-chart.tsx';
import { Fact, FiguresCard } from './figures-card.tsx';
import type { Metric, MetricInfo } from './metrics.ts';
import { daysOf } from './range.ts';

const formatUtcHour = localDateFormat({
  month: 'short',
  day: 'numeric',
  ...CLOCK,
  timeZone: 'UTC',
});

const ESTIMATED = `More than ${formatNumber(EXACT_VISITORS)} a day are estimated, with a standard error of 1.6%.`;

export function MainCard({ report }: { report: AnalyticsResponse }) {
  const { analytics, url } = report;
  const previous = report.advanced ? report.analytics.previousPeriod : null;
  return (
    <FiguresCard
      totals={analytics}
      previous={previous}
      unknown={unknownFigure(report)}
      estimated={isEstimated(report)}
      fact={
        <Fact
          label="Created"
          value={formatDate(url.created_at)}
          note={formatAge(url.created_at, Date.parse(report.generatedAt))}
        />
      }
    >
      {(metric) => <ChartPanel report={report} metric={metric} compared={previous !== null} />}
    </FiguresCard>
  );
}

/**
 * Returns the figure that this range does not have. Visitors are counted once per whole day, so 24
 * hours have no clicks per visitor.
 */
const unknownFigure = ({ range }: AnalyticsResponse): Metric | undefined =>
  range === '24h' ? 'per-visitor' : undefined;

const isEstimated = ({ analytics }: AnalyticsResponse): boolean =>
  Object.values(analytics.visitorsByDate).some((visitors) => visitors > EXACT_VISITORS);

function ChartPanel({
  report,
  metric,
  compared,
}: {
  report: AnalyticsResponse;
  metric: MetricInfo;
  compared: boolean;
}) {
  const perDayOnly = metric.value === unknownFigure(report);
  return (
    <MetricPanel
      title={metric.title}
      meaning={
        <>
          {metric.meaning} {metric.value !== 'clicks' && isEstimated(report) && ESTIMATED}{' '}
          {perDayOnly ? '' : describeTimes(report, metric.value)}
        </>
      }
      compared={compared && !perDayOnly}
      comparison={report.advanced ? describeComparison(report) : null}
    >
      {perDayOnly ? (
        <p className="flex h-60 items-center justify-center text-center text-14 text-balance text-ink-3">
          A visitor counts once per day, so this figure needs whole days. Choose 7 days or more.
        </p>
      ) : (
        <ClicksChart report={report} metric={metric} />
      )}
    </MetricPanel>
  );
}

/** Says what a figure means, then shows its chart and what it is compared with. */
export const MetricPanel = ({
  title,
  meaning,
  compared,
  comparison,
  children,
}: {
  title: string;
  meaning: ReactNode;
  compared: boolean;
  comparison: string | null;
  children: ReactNode;
}) => (
  <div className="p-4 sm:p-5">
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
      <div className="min-w-0">
        <h2 className="text-14 font-medium">{title}</h2>
        <p className="text-13 text-ink-3">{meaning}</p>
      </div>
      {compared && <Legend />}
    </div>
    {children}
    {comparison !== null && <p className="mt-3 text-13 text-ink-3">{comparison}</p>}
  </div>
);

function describeTimes(report: AnalyticsResponse, metric: Metric): string {
  if (metric !== 'per-visitor' && showsHours(report)) return 'Hours are in your time zone.';
  if (report.range !== '24h') return 'Days are UTC.';
  const from = formatUtcHour(firstHourOf24(Date.parse(report.generatedAt)));
  return `Days are UTC, from ${from}. Hours are part of ${PLANS.premium.name}.`;
}

const Legend = () => (
  <p aria-hidden="true" className="flex gap-4 text-12 text-ink-3">
    <span className="flex items-center gap-1.5">
      <span className="size-2 rounded-full bg-chart-1 forced-colors:bg-[Highlight]" />
      This period
    </span>
    <span className="flex items-center gap-1.5">
      <span className="w-4 border-t-2 border-dashed border-ink-2" />
      Previous period
    </span>
  </p>
);

export function describeComparison({ range, url, analytics }: FullReport): string {
  const days = daysOf(range);
  if (days === null) return 'Choose 24 hours, 7, 30 or 90 days to compare with the period before.';
  const { previousPeriod } = analytics;
  const length = range === '24h' ? '48 hours' : `${2 * days} days`;
  if (previousPeriod === null)
    return `No comparison yet: this link was created on ${formatDate(url.created_at)}, less than ${length} ago.`;
  if (range === '24h')
    return 'Compared with the 24 hours before. The current hour counts up to now.';
  const [from, to] = [previousPeriod.from, previousPeriod.to].map((day) => formatUtcMonthDay(day));
  return `Compared with the ${days} days before, ${from} to ${to}. Today counts up to now.`;
}
