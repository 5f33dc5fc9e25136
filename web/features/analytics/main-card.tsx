import { useSearchParams } from 'react-router-dom';
import type { AnalyticsResponse, Figures } from '#contract/analytics.ts';
import { EXACT_VISITORS } from '#contract/limits.ts';
import { PLANS } from '#contract/site.ts';
import { describeChange } from '#web/shared/describe-change.ts';
import { formatAge, formatDate, formatNumber } from '#web/shared/format.ts';
import { Card } from '#web/ui/card.tsx';
import { firstHourOf24, showsHours } from './chart-series.ts';
import { ClicksChart } from './clicks-chart.tsx';
import { describeComparison } from './comparison.ts';
import { MetricTabs } from './metric-tabs.tsx';
import { findMetric, METRICS, valueOf, type Metric, type MetricInfo } from './metrics.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
/** From here on, a number is too wide for a phone and is shortened there. */
const WIDE = 1_000_000;
const lastHour = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

const tallyOf = ({ totalClicks, uniqueClicks }: Figures) => ({ clicks: totalClicks, visitors: uniqueClicks });

const ESTIMATED = `More than ${formatNumber(EXACT_VISITORS)} a day are estimated, with a standard error of 1.6%.`;

/** The figures of a report and one chart, of the figure that is selected. The selection is part of the URL. */
export function MainCard({ report }: { report: AnalyticsResponse }) {
  const [query, setQuery] = useSearchParams();
  const { analytics, url } = report;
  const metric = findMetric(query.get('figure'));
  const previous = report.advanced ? report.analytics.previousPeriod : null;
  const select = (next: Metric): void =>
    setQuery(
      (before) => {
        if (next === 'clicks') before.delete('figure');
        else before.set('figure', next);
        return before;
      },
      { replace: true },
    );
  const tabs = METRICS.map(({ value, label, format }) => {
    const current = isCountedPerDay(report, value) ? null : valueOf(value, tallyOf(analytics));
    const before = previous === null ? null : valueOf(value, tallyOf(previous));
    return {
      value,
      label,
      figure:
        current === null ? '–' : <Figure value={current} format={value === 'visitors' && isEstimated(report) ? about : format} />,
      change: current === null || before === null ? null : describeChange(current, before, format),
    };
  });
  return (
    <Card className="break-inside-avoid">
      <MetricTabs
        tabs={tabs}
        value={metric.value}
        onChange={select}
        aside={
          <dl className="grid grid-cols-2">
            <Fact
              label="Active Days"
              value={formatNumber(analytics.activeDays)}
              change={previous && describeChange(analytics.activeDays, previous.activeDays)}
              note="Days (UTC) with clicks"
            />
            <Fact
              label="Created"
              value={formatDate(url.created_at)}
              note={formatAge(url.created_at, Date.parse(report.generatedAt))}
            />
          </dl>
        }
      >
        <ChartPanel report={report} metric={metric} compared={previous !== null} />
      </MetricTabs>
    </Card>
  );
}

/** Whether a figure cannot be given for this range, because a visitor counts once per whole day. */
const isCountedPerDay = ({ range }: AnalyticsResponse, metric: Metric): boolean => metric === 'per-visitor' && range === '24h';

/** Whether a day has more visitors than are counted exactly. */
const isEstimated = ({ analytics }: AnalyticsResponse): boolean =>
  Object.values(analytics.visitorsByDate).some((visitors) => visitors > EXACT_VISITORS);
const about = (value: number): string => `about ${formatNumber(value)}`;

function Figure({ value, format }: { value: number; format: (value: number) => string }) {
  if (value < WIDE) return format(value);
  return (
    <>
      <span className="max-sm:hidden">{format(value)}</span>
      <span className="sm:hidden">{compact.format(value)}</span>
    </>
  );
}

export const Fact = ({ label, value, change, note }: { label: string; value: string; change?: string | null; note: string }) => (
  <div className="min-w-0 px-3 py-4 last:border-l last:border-line sm:px-5">
    <dt className="text-12 text-ink-3 sm:text-13">{label}</dt>
    <dd className="mt-1 truncate text-16 leading-7 font-semibold tracking-tight tabular-nums">{value}</dd>
    {change != null && <dd className="text-12 text-ink-2 tabular-nums">{change}</dd>}
    <dd className="text-12 text-ink-3 tabular-nums">{note}</dd>
  </div>
);

function ChartPanel({ report, metric, compared }: { report: AnalyticsResponse; metric: MetricInfo; compared: boolean }) {
  const perDayOnly = isCountedPerDay(report, metric.value);
  return (
    <div className="p-4 sm:p-5">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-14 font-medium">{metric.title}</h2>
          <p className="text-13 text-ink-3">
            {metric.meaning} {metric.value !== 'clicks' && isEstimated(report) && ESTIMATED}{' '}
            {perDayOnly ? '' : describeTimes(report, metric.value)}
          </p>
        </div>
        {compared && !perDayOnly && <Legend />}
      </div>
      {perDayOnly ? (
        <p className="flex h-60 items-center justify-center text-center text-14 text-balance text-ink-3">
          A visitor counts once per day, so this figure needs whole days. Choose 7 days or more.
        </p>
      ) : (
        <ClicksChart report={report} metric={metric} />
      )}
      {report.advanced && <p className="mt-3 text-13 text-ink-3">{describeComparison(report)}</p>}
    </div>
  );
}

/** Whose hours and days the chart shows. */
function describeTimes(report: AnalyticsResponse, metric: Metric): string {
  if (metric !== 'per-visitor' && showsHours(report)) return 'Hours are in your time zone.';
  if (report.range !== '24h') return 'Days are UTC.';
  const from = lastHour.format(firstHourOf24(Date.parse(report.generatedAt)));
  return `Days are UTC, from ${from}. Hours are part of ${PLANS.premium.name}.`;
}

export const Legend = () => (
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
