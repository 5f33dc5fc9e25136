import { useSearchParams } from 'react-router-dom';
import type { OverviewResponse } from '#contract/analytics.ts';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { Fact, Legend } from '#web/features/analytics/main-card.tsx';
import { MetricTabs } from '#web/features/analytics/metric-tabs.tsx';
import { findMetric, METRICS, valueOf, type Metric } from '#web/features/analytics/metrics.ts';
import { daysOf } from '#web/features/analytics/range.ts';
import { describeChange } from '#web/shared/describe-change.ts';
import { formatNumber } from '#web/shared/format.ts';
import { Card } from '#web/ui/card.tsx';

type Totals = { totalClicks: number; uniqueClicks: number };
const tallyOf = ({ totalClicks, uniqueClicks }: Totals) => ({ clicks: totalClicks, visitors: uniqueClicks });

/** The figures of all links together and one chart, of the figure that is selected. The selection is part of the URL. */
export function OverviewCard({ overview }: { overview: OverviewResponse }) {
  const [query, setQuery] = useSearchParams();
  const { analytics, links, range, generatedAt } = overview;
  const metric = findMetric(query.get('figure'));
  const previous = analytics.previousPeriod ?? null;
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
    const current = valueOf(value, tallyOf(analytics));
    const before = previous === null ? null : valueOf(value, tallyOf(previous));
    return {
      value,
      label,
      figure: current === null ? '–' : format(current),
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
            <Fact label="Links" value={formatNumber(links)} note="Not deleted" />
          </dl>
        }
      >
        <div className="p-4 sm:p-5">
          <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
            <div className="min-w-0">
              <h2 className="text-14 font-medium">{metric.title}</h2>
              <p className="text-13 text-ink-3">{describeMetric(metric.value)} Days are UTC.</p>
            </div>
            {previous !== null && <Legend />}
          </div>
          <ClicksChart report={{ range, generatedAt, url: { created_at: generatedAt }, analytics }} metric={metric} />
          {overview.advanced && (
            <p className="mt-3 text-13 text-ink-3">
              {previous === null
                ? 'No comparison yet: nobody had clicked your links when the period before began.'
                : `Compared with the ${daysOf(range)} days before. Today counts up to now.`}
            </p>
          )}
        </div>
      </MetricTabs>
    </Card>
  );
}

const describeMetric = (metric: Metric): string =>
  metric === 'clicks' ? 'By people.' : 'Each person counts once per link and day, at their first click.';
