import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { DevicePanel, PlacePanel, ReferrerPanel } from './dimension-panels.tsx';
import { ExcludedNote } from './excluded-note.tsx';
import { FirstClickPanel } from './first-click-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { LockedPanel } from './locked-panel.tsx';
import { MainCard } from './main-card.tsx';
import { daysOf } from './range.ts';
import { RecentClicks } from './recent-clicks.tsx';

/** One report: the figures with their chart, the panels, and what is not counted. `stale`: another range is loading, and this is still the previous one. */
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
  /** When the page last heard from the server, in ms. */
  updatedAt: number;
  ad: ReactNode;
  /** The QR code of the link. */
  qr: ReactNode;
  onUpgrade: () => void;
}) {
  const { analytics } = report;
  const advancedPanels = useFocusAfterUpgrade(report.advanced);
  if (report.lifetimeClicks === 0)
    return (
      <div className="flex flex-col gap-4">
        <FirstClickPanel url={report.url} qr={qr} />
        {ad}
        <ExcludedNote setAside={report.setAside} updatedAt={updatedAt} />
      </div>
    );
  return (
    <div className={clsx('flex flex-col gap-4 transition-opacity duration-150', stale && 'opacity-50')} aria-busy={stale}>
      <MainCard report={report} />
      {ad}
      {report.range === '24h' && (
        <p className="px-1 text-13 text-ink-3">
          Places, devices and sources are counted per day: for 24 hours they cover yesterday and today (UTC).
        </p>
      )}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <PlacePanel report={report} />
        <DevicePanel report={report} />
      </div>
      {report.advanced ? (
        <section ref={advancedPanels} aria-label="Advanced analytics" tabIndex={-1} className="grid min-w-0 gap-4 lg:grid-cols-2">
          <ReferrerPanel clicksByReferrer={report.analytics.clicksByReferrer} />
          <HoursPanel clicksByHour={report.analytics.clicksByHour} days={daysOf(report.range)} />
        </section>
      ) : (
        <LockedPanel onUpgrade={report.viewer === 'owner' ? onUpgrade : null} />
      )}
      <Panel
        title="Recent Clicks"
        hint={`The last ${RECENT_CLICKS_MAX} clicks within ${KEEP_RECENT_CLICKS_DAYS} days, in your time zone.`}
      >
        {analytics.recentClicks.length === 0 ? <NoClicks /> : <RecentClicks clicks={analytics.recentClicks} />}
      </Panel>
      <ExcludedNote setAside={report.setAside} updatedAt={updatedAt} />
    </div>
  );
}

/** Focuses the panels that replace the locked one if its button had the focus, which would otherwise be lost. */
function useFocusAfterUpgrade(advanced: boolean) {
  const panels = useRef<HTMLElement>(null);
  const wasAdvanced = useRef(advanced);
  useEffect(() => {
    if (advanced && !wasAdvanced.current && document.activeElement === document.body)
      panels.current?.focus({ preventScroll: true });
    wasAdvanced.current = advanced;
  }, [advanced]);
  return panels;
}

const NoClicks = () => <EmptyState title="No clicks in this range" />;
