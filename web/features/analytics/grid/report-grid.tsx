import { useEffect, useRef } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { RANGES } from '#web/features/analytics/range.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { DevicePanel, PlacePanel, ReferrerPanel } from './dimension-panels.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { LockedPanel } from './locked-panel.tsx';
import { RecentClicks } from './recent-clicks.tsx';

/** Everything below the chart of a report: where, with what and when people clicked, and the recent clicks. */
export function ReportGrid({ report, onUpgrade }: { report: AnalyticsResponse; onUpgrade: () => void }) {
  const { analytics } = report;
  const advancedPanels = useFocusAfterUpgrade(report.advanced);
  return (
    <>
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <PlacePanel report={report} />
        <DevicePanel report={report} />
      </div>
      {report.advanced ? (
        <section ref={advancedPanels} aria-label="Advanced analytics" tabIndex={-1} className="grid min-w-0 gap-4 lg:grid-cols-2">
          <ReferrerPanel clicksByReferrer={report.analytics.clicksByReferrer} total={analytics.totalClicks} />
          <HoursPanel
            clicksByHour={report.analytics.clicksByHour}
            days={RANGES.find(({ value }) => value === report.range)?.days ?? null}
          />
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
    </>
  );
}

const NoClicks = () => <EmptyState title="No clicks yet">Share the short link. Clicks appear here within seconds.</EmptyState>;

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
