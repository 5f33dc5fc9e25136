import type { OverviewResponse } from '#contract/reports/overview.ts';
import { formatNumber } from '#contract/language.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { buildCells, FiguresCard } from '#web/features/analytics/figures-card.tsx';
import { MetricPanel } from '#web/features/analytics/main-card.tsx';
import { RANGE_TOO_LONG, type MetricInfo } from '#web/features/analytics/metrics.ts';
import { describeZone } from '#web/features/analytics/zone.ts';
import { formatDateTime, formatDateInUtc } from '#web/shared/texts/format.ts';

/** Older than any link, so that the chart has no hours for a young one. */
const LONG_AGO = '1970-01-01T00:00:00Z';

export function OverviewCard({ overview }: { overview: OverviewResponse }) {
  const { analytics, links, range, period, generatedAt } = overview;
  const previous = analytics.previousPeriod ?? null;
  return (
    <FiguresCard
      cells={buildCells({
        main: analytics,
        previous,
        unknown: range === '24h' ? 'per-visitor' : undefined,
      })}
      fact={{ label: 'Links', value: formatNumber(links), note: 'Not deleted' }}
    >
      {(metric) => (
        <MetricPanel
          title={metric.title}
          meaning={`${meaningOf(metric)}${overview.advanced ? ` ${describeComparison(overview)}` : ''}`}
          compared={previous !== null}
        >
          <ClicksChart
            report={{ range, period, generatedAt, url: { created_at: LONG_AGO }, analytics }}
            metric={metric}
          />
        </MetricPanel>
      )}
    </FiguresCard>
  );
}

/** A visitor of two links counts as two visitors here. */
const meaningOf = ({ value, meaning }: MetricInfo): string =>
  value === 'visitors'
    ? 'Each person counts once per link and day, at their first click.'
    : meaning;

function describeComparison({ range, analytics }: OverviewResponse): string {
  if (range === 'all') return RANGE_TOO_LONG;
  const { previousPeriod = null } = analytics;
  return previousPeriod === null
    ? 'No comparison yet: nobody had clicked your links when the period before began.'
    : `Compared with ${formatDateInUtc(previousPeriod.from, previousPeriod.to)}, over the same time.`;
}

/** Says which clicks the overview counts, in which time zone they are, and how old it is. */
export const OverviewNote = ({ overview }: { overview: OverviewResponse }) => (
  <p className="px-1 text-13 text-ink-3">
    Deleted links are left out. Archived links count.{' '}
    {overview.detailsSince !== null &&
      `Everything below the chart counts from ${formatDateInUtc(overview.detailsSince)} on. `}
    {overview.shortenedBy !== null &&
      overview.period.from !== null &&
      `Days before ${formatDateInUtc(overview.period.from)} are left out, because ${
        overview.shortenedBy === 'size'
          ? 'these links have too many for one report'
          : 'they are kept as months only'
      }. `}
    {describeZone(Date.parse(overview.generatedAt))}{' '}
    <span className="tabular-nums">{describeAge(overview)}</span>
  </p>
);

function describeAge({ countedAt, generatedAt }: OverviewResponse): string {
  if (countedAt === null)
    return 'Your clicks are being counted, so some are missing. Look again in a few minutes.';
  return Date.parse(generatedAt) - Date.parse(countedAt) < MINUTE_MS
    ? `Updated ${formatDateTime(countedAt)}.`
    : `Brought up to date once an hour, last on ${formatDateTime(countedAt)}.`;
}
