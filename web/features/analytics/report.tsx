import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { AnalyticsResponse, Figures } from '#contract/analytics.ts';
import { formatDate, formatNumber, plural } from '#web/shared/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { ClicksChart } from './clicks-chart.tsx';
import { describeChange, describeComparison } from './comparison.ts';
import { ExportPanel } from './export-panel.tsx';
import { FilteredSummary } from './grid/filtered-summary.tsx';
import { useFilter } from './grid/filters.ts';
import { ReportGrid } from './grid/report-grid.tsx';
import { firstDayShown } from './range.ts';
import { buildSeries } from './series.ts';

/** The statistics and panels of one report. `stale`: another range is loading, and this is still the previous one. */
export function Report({
  report,
  stale,
  ad,
  onUpgrade,
}: {
  report: AnalyticsResponse;
  stale: boolean;
  ad: ReactNode;
  onUpgrade: () => void;
}) {
  const { analytics, url, setAside: excluded } = report;
  const previous = report.advanced ? report.analytics.previousPeriod : null;
  const change = (figure: keyof Figures) => previous !== null && { change: describeChange(analytics[figure], previous[figure]) };
  const now = Date.parse(report.generatedAt);
  const filtering = useFilter(report);
  const isEmpty = analytics.totalClicks === 0;
  return (
    <div
      className={clsx('flex flex-col gap-4 transition-opacity duration-150', (stale || filtering.stale) && 'opacity-50')}
      aria-busy={stale || filtering.stale}
    >
      {filtering.shown !== null ? (
        <FilteredSummary report={filtering.shown} total={analytics.totalClicks} />
      ) : (
        <>
          <Stats
            items={[
              {
                label: 'Total Clicks',
                value: formatNumber(analytics.totalClicks),
                ...change('totalClicks'),
                note: `By people. ${describeExcludedClicks(excluded)}`,
              },
              {
                label: 'Unique Visitors',
                value: formatNumber(analytics.uniqueClicks),
                ...change('uniqueClicks'),
                note: 'Each person counts once per day',
              },
              {
                label: 'Active Days',
                value: formatNumber(analytics.activeDays),
                ...change('activeDays'),
                note: 'Days (UTC) with clicks',
              },
              { label: 'Created', value: <span className="text-20">{formatDate(url.created_at)}</span> },
            ]}
          />
          {report.advanced && <p className="px-1 text-13 text-ink-3">{describeComparison(report)}</p>}
          <Panel title="Clicks by Date" hint="Days are UTC.">
            {isEmpty ? (
              <NoClicks />
            ) : (
              <ClicksChart series={buildSeries(analytics.clicksByDate, firstDayShown(report.range, now), now)} />
            )}
          </Panel>
        </>
      )}
      {ad}
      <ReportGrid report={report} filtering={filtering} onUpgrade={onUpgrade} />
      {report.advanced && <ExportPanel code={url.short_code} range={report.range} />}
    </div>
  );
}

const NoClicks = () => <EmptyState title="No clicks yet">Share the short link. Clicks appear here within seconds.</EmptyState>;

/** '12 bots and 3 prefetches excluded' */
function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [bots > 0 ? plural(bots, 'bot') : '', prefetches > 0 ? plural(prefetches, 'prefetch', 'prefetches') : ''];
  const excluded = parts.filter((part) => part !== '').join(' and ');
  return excluded === '' ? 'No bots or prefetches.' : `${excluded} excluded.`;
}

/** The report while it loads. */
export function ReportSkeleton() {
  return (
    <Loading label="Loading analytics…">
      <div className="flex flex-col gap-4">
        <Skeleton className="h-24 w-full rounded-lg" />
        <Skeleton className="h-76 w-full rounded-lg" />
        <div className="grid gap-4 lg:grid-cols-2">
          <Skeleton className="h-64 w-full rounded-lg" />
          <Skeleton className="h-64 w-full rounded-lg" />
        </div>
      </div>
    </Loading>
  );
}
