import { clsx } from 'clsx';
import { Suspense, lazy, type ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FilteredSummary } from './grid/filtered-summary.tsx';
import { useFilter } from './grid/filters.ts';
import { MainCard } from './main-card.tsx';
import { clicksOfDays } from './metrics.ts';
import { GridSkeleton } from './report-skeleton.tsx';
import { dateFormat, formatNumber, plural } from '#contract/language.ts';
import { readableUrl } from '#web/shared/format.ts';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

const ReportGrid = lazy(() =>
  import('./grid/report-grid.tsx').then(
    (m) => ({ default: m.ReportGrid }),
    () => ({ default: GridError }),
  ),
);

const GridError = () => (
  <ErrorLine
    message="The details of this report could not be loaded."
    query={{ refetch: () => window.location.reload(), isManual: true }}
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

const formatTime = dateFormat({ timeStyle: 'medium' });

/**
 * Says how many clicks came by QR code and from before an import, what the figures exclude and why,
 * and how old they are. `updatedAt` is in ms.
 */
const ExcludedNote = ({
  report: { setAside, imported, analytics },
  updatedAt,
}: {
  report: Pick<AnalyticsResponse, 'setAside' | 'imported'> & {
    analytics: Pick<AnalyticsResponse['analytics'], 'totalClicks' | 'qrScans'>;
  };
  updatedAt: number;
}) => (
  <p className="px-1 text-13 text-ink-3">
    {analytics.qrScans > 0 && `${describeScans(analytics)} `}
    {imported !== null && (
      <>
        <span className="font-medium text-ink-2">
          {plural(imported.clicks, 'click')} before the import from {imported.from}.
        </span>{' '}
        The other figures do not include them.{' '}
      </>
    )}
    {describeExcludedClicks(setAside)} Bots are programs such as search engines and link checkers,
    recognised by their user agent. A prefetch is a link that a browser or an app loads before
    anyone opens it.{' '}
    <span className="whitespace-nowrap tabular-nums">Updated {formatTime(updatedAt)}.</span>
  </p>
);

/** Returns '12 of 340 clicks came from scans of the QR code.' */
const describeScans = ({
  qrScans,
  totalClicks,
}: {
  qrScans: number;
  totalClicks: number;
}): string =>
  `${formatNumber(qrScans)} of ${plural(totalClicks, 'click')} came from scans of the QR code.`;

/** Returns '12 bots and 3 prefetches excluded.' */
function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [
    ...(bots > 0 ? [plural(bots, 'bot')] : []),
    ...(prefetches > 0 ? [plural(prefetches, 'prefetch', 'prefetches')] : []),
  ];
  return parts.length === 0 ? 'No bots or prefetches.' : `${parts.join(' and ')} excluded.`;
}

/** A link without clicks only gets the ways to share it. */
const FirstClickPanel = ({ url, qr }: { url: AnalyticsResponse['url']; qr: ReactNode }) => (
  <Card className="flex flex-col gap-6 px-4 py-8 sm:flex-row sm:items-center sm:justify-between sm:px-8 sm:py-10">
    <div className="min-w-0">
      <h2 className="flex items-center gap-2.5 text-20 font-semibold tracking-tight">
        <span
          aria-hidden="true"
          className="size-2 shrink-0 animate-pulse-soft rounded-full bg-accent forced-colors:bg-[Highlight]"
        />
        Waiting for the first click
      </h2>
      <p className="mt-1 text-14 text-ink-3">
        No clicks yet. Share the short link: clicks appear here within seconds.
      </p>
      <p className="mt-5 flex flex-wrap items-center gap-3">
        <span className="min-w-0 font-mono text-16 font-medium [overflow-wrap:anywhere]">
          {readableUrl(url.short_url)}
        </span>
        <CopyButton text={url.short_url} variant="primary" />
      </p>
    </div>
    <div className="shrink-0">{qr}</div>
  </Card>
);
