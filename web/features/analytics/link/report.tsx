import { clsx } from 'clsx';
import { Suspense, type ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { loadOnline } from '#web/ui/load-online.ts';
import { FilteredCard } from '#web/features/analytics/grid/filtered-card.tsx';
import type { Filtering } from '#web/features/analytics/grid/filters.ts';
import { MainCard } from '#web/features/analytics/main-card.tsx';
import { clicksOfDays } from '#web/features/analytics/metrics.ts';
import { ReportNote } from './report-note.tsx';
import { GridError, GridSkeleton } from '#web/features/analytics/report-skeleton.tsx';

const ReportGrid = lazyOr(
  () =>
    loadOnline(() =>
      import('#web/features/analytics/grid/report-grid.tsx').then((m) => m.ReportGrid),
    ),
  GridError,
);

/**
 * Shows a report: the figures with their chart, the panels, and what is not counted. `stale` means
 * that another range is loading and this is the previous one.
 */
export function Report({
  report,
  filtering,
  timesPath,
  stale,
  updatedAt,
  ad,
  onUpgrade,
}: {
  report: AnalyticsResponse;
  filtering: Filtering;
  /** The request for the times of the clicks, without a time zone. */
  timesPath: string;
  stale: boolean;
  /** The time of the last response in ms. */
  updatedAt: number;
  ad: ReactNode;
  onUpgrade: () => void;
}) {
  const { shown: filtered, filters } = filtering;
  const isStale = stale || filtering.stale;
  return (
    <div
      className={clsx(
        'flex flex-col gap-4 transition-opacity duration-150',
        isStale && 'opacity-50',
      )}
      aria-busy={isStale}
    >
      {filtered === null ? (
        <MainCard report={report} />
      ) : (
        <FilteredCard report={filtered} filters={filters} total={clicksOfDays(report)} />
      )}
      {ad}
      {report.range === '24h' && (
        <p className="px-1 text-13 text-ink-3">
          Places, devices and sources are counted per day: for 24 hours they cover yesterday and
          today.
        </p>
      )}
      <Suspense fallback={<GridSkeleton />}>
        <ReportGrid
          report={report}
          filtering={filtering}
          timesPath={timesPath}
          onUpgrade={onUpgrade}
        />
      </Suspense>
      <ReportNote report={report} updatedAt={updatedAt} />
    </div>
  );
}
