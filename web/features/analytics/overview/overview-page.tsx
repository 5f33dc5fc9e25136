import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChartNoAxesColumn } from 'lucide-react';
import { Suspense, lazy, type ReactNode } from 'react';
import { OVERVIEW_RANGES, type OverviewRange, type OverviewResponse } from '#contract/analytics.ts';
import { MINUTE_MS } from '#contract/time.ts';
import { GridSkeleton, ReportSkeleton } from '#web/features/analytics/report-skeleton.tsx';
import { RangePicker } from '#web/features/analytics/range-picker.tsx';
import { daysOf, describeRange } from '#web/features/analytics/range.ts';
import { api } from '#web/shared/api.ts';
import { formatDateTime } from '#web/shared/format.ts';
import { NewLinkButton } from '#web/shared/new-link-button.tsx';
import { useQueryParams } from '#web/shared/use-query-params.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ClicksChart } from '#web/features/analytics/clicks-chart.tsx';
import { Fact, FiguresCard } from '#web/features/analytics/figures-card.tsx';
import { MetricPanel } from '#web/features/analytics/main-card.tsx';
import type { MetricInfo } from '#web/features/analytics/metrics.ts';
import { formatNumber } from '#contract/language.ts';

const OverviewGrid = lazy(() =>
  import('./overview-grid.tsx').then((m) => ({ default: m.OverviewGrid })),
);

const overviewQuery = (range: OverviewRange) =>
  queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => api<OverviewResponse>(`/api/analytics?range=${range}`, { signal }),
    staleTime: MINUTE_MS,
  });

/**
 * The clicks on all links of the member. The URL holds the time range. `onUpgrade` opens the choice
 * of plans.
 */
export function OverviewPage({ onUpgrade }: { onUpgrade: () => void }) {
  const [query, setQuery] = useQueryParams();
  const range = OVERVIEW_RANGES.find((one) => one === query.get('range')) ?? '30d';
  const answer = useQuery({ ...overviewQuery(range), placeholderData: keepPreviousData, retry: 1 });
  const overview = answer.data;
  const showRange = (next: string): void => setQuery({ range: next === '30d' ? '' : next });
  return (
    <div>
      <PageHeading
        title="Overview"
        hint={
          <>
            Clicks on all of your links together
            <span className="hidden print:inline">, in {describeRange(range)}</span>.
          </>
        }
        action={
          <div className="max-sm:w-full">
            <RangePicker value={range} ranges={OVERVIEW_RANGES} onChange={showRange} />
          </div>
        }
      />
      {overview === undefined ? (
        answer.isError ? (
          <Card>
            <FailedState title="Failed to load the overview" query={answer} />
          </Card>
        ) : (
          <ReportSkeleton />
        )
      ) : (
        <>
          {answer.isError && (
            <div className="mb-4">
              <ErrorLine
                message="The newest numbers could not be loaded. You see earlier ones."
                query={answer}
              />
            </div>
          )}
          <Content overview={overview} stale={answer.isPlaceholderData} onUpgrade={onUpgrade} />
        </>
      )}
    </div>
  );
}

function Content({
  overview,
  stale,
  onUpgrade,
}: {
  overview: OverviewResponse;
  stale: boolean;
  onUpgrade: () => void;
}) {
  if (overview.links === 0)
    return (
      <Empty
        title="No URLs yet"
        text="Once your links are clicked, their clicks are summed up here."
      >
        <NewLinkButton label="New link" variant="primary" />
      </Empty>
    );
  if (!overview.hasClicks)
    return (
      <Empty
        title="No clicks yet"
        text={
          overview.countedAt === null
            ? 'Your clicks are being counted. Look again in a few minutes.'
            : 'Once your links are clicked, their clicks are summed up here.'
        }
      >
        <LinkButton to="/dashboard">Back to My URLs</LinkButton>
      </Empty>
    );
  return (
    <div
      className={clsx('flex flex-col gap-4 transition-opacity duration-150', stale && 'opacity-50')}
      aria-busy={stale}
    >
      <OverviewCard overview={overview} />
      <Suspense fallback={<GridSkeleton />}>
        <OverviewGrid overview={overview} onUpgrade={onUpgrade} />
      </Suspense>
      <p className="px-1 text-13 text-ink-3">
        Deleted links are left out. Archived links count.{' '}
        <span className="tabular-nums">{describeAge(overview)}</span>
      </p>
    </div>
  );
}

const Empty = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Card>
    <EmptyState icon={<ChartNoAxesColumn />} title={title} action={children}>
      {text}
    </EmptyState>
  </Card>
);

function describeAge({ countedAt, generatedAt }: OverviewResponse): string {
  if (countedAt === null)
    return 'Your clicks are being counted, so some are missing. Look again in a few minutes.';
  return Date.parse(generatedAt) - Date.parse(countedAt) < MINUTE_MS
    ? `Updated ${formatDateTime(countedAt)}.`
    : `Brought up to date once an hour, last on ${formatDateTime(countedAt)}.`;
}

function OverviewCard({ overview }: { overview: OverviewResponse }) {
  const { analytics, links, range, generatedAt } = overview;
  const previous = analytics.previousPeriod ?? null;
  return (
    <FiguresCard
      totals={analytics}
      previous={previous}
      fact={<Fact label="Links" value={formatNumber(links)} note="Not deleted" />}
    >
      {(metric) => (
        <MetricPanel
          title={metric.title}
          meaning={`${meaningOf(metric)} Days are UTC.`}
          compared={previous !== null}
          comparison={
            !overview.advanced
              ? null
              : previous === null
                ? 'No comparison yet: nobody had clicked your links when the period before began.'
                : `Compared with the ${daysOf(range)} days before. Today counts up to now.`
          }
        >
          <ClicksChart
            report={{ range, generatedAt, url: { created_at: generatedAt }, analytics }}
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
