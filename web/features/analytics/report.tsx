import { clsx } from 'clsx';
import { lazy, Suspense, type ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { ExcludedNote } from './excluded-note.tsx';
import { FirstClickPanel } from './first-click-panel.tsx';
import { FilteredSummary } from './grid/filtered-summary.tsx';
import { useFilter } from './grid/filters.ts';
import { MainCard } from './main-card.tsx';
import { clicksOfDays } from './metrics.ts';
import { GridSkeleton } from './report-skeleton.tsx';

const ReportGrid = lazy(() =>
  import('./grid/report-grid.tsx').then(
    (m) => ({ default: m.ReportGrid }),
    () => ({ default: GridError }),
  ),
);

const GridError = () => (
  <ErrorLine
    message="The details of this report could not be loaded."
    query={{ refetch: () => window.location.reload() }}
  />
);

/**
 * Shows a report: the figures with their chart, the panels, and what is not counted. `stale` means
 * that another range is loading and this is the previous one.
 */
export function Report({
  report,
  stale,
  updatedAt,
  ad,
  qr,
  onUpgrade,
}: {
  report: AnalyticsResponse;
  stale: boolean;
  /** The time of the last response in ms. */
  updatedAt: number;
  ad: ReactNode;
  qr: ReactNode;
  onUpgrade: () => void;
}) {
  const filtering = useFilter(report);
  if (report.lifetimeClicks === 0)
    return (
      <div className="flex flex-col gap-4">
        <FirstClickPanel url={report.url} qr={qr} />
        {ad}
        <ExcludedNote report={report} updatedAt={updatedAt} />
      </div>
    );
  return (
    <div
      className={clsx(
        'flex flex-col gap-4 transition-opacity duration-150',
        (stale || filtering.stale) && 'opacity-50',
      )}
      aria-busy={stale || filtering.stale}
    >
      {filtering.shown === null ? (
        <MainCard report={report} />
      ) : (
        <FilteredSummary report={filtering.shown} total={clicksOfDays(report)} />
      )}
      {ad}
      {report.range === '24h' && (
        <p className="px-1 text-13 text-ink-3">
          Places, devices and sources are counted per day: for 24 hours they cover yesterday and
          today (UTC).
        </p>
      )}
      <Suspense fallback={<GridSkeleton />}>
        <ReportGrid report={report} filtering={filtering} onUpgrade={onUpgrade} />
      </Suspense>
      <ExcludedNote report={report} updatedAt={updatedAt} />
    </div>
  );
}
