import type { OverviewResponse } from '#contract/analytics.ts';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { Fact, FiguresCard } from '#web/features/analytics/figures-card.tsx';
import { Legend } from '#web/features/analytics/main-card.tsx';
import type { MetricInfo } from '#web/features/analytics/metrics.ts';
import { daysOf } from '#web/features/analytics/range.ts';
import { formatNumber } from '#contract/language.ts';

export function OverviewCard({ overview }: { overview: OverviewResponse }) {
  const { analytics, links, range, generatedAt } = overview;
  const previous = analytics.previousPeriod ?? null;
  return (
    <FiguresCard
      totals={analytics}
      previous={previous}
      fact={<Fact label="Links" value={formatNumber(links)} note="Not deleted" />}
    >
      {(metric) => (
        <div className="p-4 sm:p-5">
          <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
            <div className="min-w-0">
              <h2 className="text-14 font-medium">{metric.title}</h2>
              <p className="text-13 text-ink-3">{meaningOf(metric)} Days are UTC.</p>
            </div>
            {previous !== null && <Legend />}
          </div>
          <ClicksChart
            report={{ range, generatedAt, url: { created_at: generatedAt }, analytics }}
            metric={metric}
          />
          {overview.advanced && (
            <p className="mt-3 text-13 text-ink-3">
              {previous === null
                ? 'No comparison yet: nobody had clicked your links when the period before began.'
                : `Compared with the ${daysOf(range)} days before. Today counts up to now.`}
            </p>
          )}
        </div>
      )}
    </FiguresCard>
  );
}

/** A visitor of two links counts as two visitors here. */
const meaningOf = ({ value, meaning }: MetricInfo): string =>
  value === 'visitors'
    ? 'Each person counts once per link and day, at their first click.'
    : meaning;
