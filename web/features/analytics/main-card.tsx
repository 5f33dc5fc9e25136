import type { ReactNode } from 'react';
import type { AnalyticsResponse, FullReport } from '#contract/reports/analytics.ts';
import { formatNumber } from '#contract/language.ts';
import { EXACT_VISITORS } from '#contract/limits.ts';
import { formatAge, formatDate, formatDateInUtc } from '#web/shared/texts/format.ts';
import { useHint } from '#web/ui/use-hint.tsx';
import { isRunning } from './chart-series.ts';
import { ClicksChart } from './clicks-chart.tsx';
import { buildCells, FiguresCard } from './figures-card.tsx';
import { RANGE_TOO_LONG, type Metric, type MetricInfo } from './metrics.ts';
import { describeInRange } from './range.ts';

const ESTIMATED = `More than ${formatNumber(EXACT_VISITORS)} a day are estimated, with a standard error of 1.6%.`;

/** The figures of a link's whole life with those of the range, and the chart of the range. */
export function MainCard({ report }: { report: AnalyticsResponse }) {
  const { analytics, lifetime } = report;
  const previous = report.advanced ? report.analytics.previousPeriod : null;
  return (
    <FiguresCard
      cells={buildCells({
        main: lifetime,
        period:
          report.range === 'all' ? null : { totals: analytics, name: describeInRange(report) },
        previous,
        unknown: unknownFigure(report),
        estimated: isEstimated(report),
      })}
      fact={createdFact(report)}
    >
      {(metric) => <ChartPanel report={report} metric={metric} compared={previous !== null} />}
    </FiguresCard>
  );
}

export const createdFact = ({
  url,
  generatedAt,
}: Pick<AnalyticsResponse, 'url' | 'generatedAt'>) => ({
  label: 'Created',
  value: formatDate(url.created_at),
  note: formatAge(url.created_at, Date.parse(generatedAt)),
});

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
          {report.advanced && describeComparison(report)}
        </>
      }
      compared={compared && !perDayOnly}
    >
      {perDayOnly ? (
        <ChartNote>
          A visitor counts once per day, so this figure needs whole days. Choose 7 days or more.
        </ChartNote>
      ) : (
        <ClicksChart report={report} metric={metric} />
      )}
    </MetricPanel>
  );
}

/** A sentence in place of a chart. */
export const ChartNote = ({ children }: { children: ReactNode }) => (
  <p className="flex h-60 items-center justify-center text-center text-14 text-balance text-ink-3">
    {children}
  </p>
);

/** Shows the chart of a figure, and on request what the figure means. */
export function MetricPanel({
  title,
  meaning,
  compared,
  children,
}: {
  title: string;
  meaning: ReactNode;
  compared: boolean;
  children: ReactNode;
}) {
  const [hintButton, hint] = useHint(title, meaning);
  return (
    <div className="p-4 sm:p-5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <div className="flex min-w-0 items-center">
          <h2 className="text-14 font-medium">{title}</h2>
          {hintButton}
        </div>
        {compared && <Legend />}
      </div>
      {hint}
      <div className="mt-2">{children}</div>
    </div>
  );
}

const Legend = () => (
  <p aria-hidden="true" className="flex gap-4 text-12 text-ink-3">
    <span className="flex items-center gap-1.5">
      <span className="size-2 rounded-full bg-chart-1 forced-colors:bg-[Highlight]" />
      This period
    </span>
    <span className="flex items-center gap-1.5">
      <span className="size-2 rounded-full bg-ink/15 forced-colors:bg-[GrayText]" />
      Previous period
    </span>
  </p>
);

/** Says what a report is compared with, or why it is not. */
export function describeComparison(
  report: Pick<FullReport, 'range' | 'period' | 'generatedAt'> & {
    url: Pick<FullReport['url'], 'created_at'>;
    analytics: Pick<FullReport['analytics'], 'previousPeriod'>;
  },
): string {
  const { previousPeriod } = report.analytics;
  if (report.range === 'all') return RANGE_TOO_LONG;
  if (previousPeriod === null)
    return `No comparison yet: this link was created on ${formatDate(report.url.created_at)}, after the period before began.`;
  const { from, to } = previousPeriod;
  const before = report.range === '24h' ? 'the 24 hours before' : formatDateInUtc(from, to);
  return `Compared with ${before}${isRunning(report) ? ', both up to the last full hour' : ''}.`;
}
