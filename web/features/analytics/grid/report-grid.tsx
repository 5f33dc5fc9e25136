import { useEffect, useRef } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { clicksOfDays } from '#web/features/analytics/metrics.ts';
import { daysOf } from '#web/features/analytics/range.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CampaignsCard, DevicesCard, hasCampaigns, PlacesCard, SourcesCard } from './cards.tsx';
import { ReportFilterBar } from './filter-bar.tsx';
import type { Filtering } from './filters.ts';
import { LockedPanel } from './locked-panel.tsx';
import { RecentClicks } from './recent-clicks.tsx';
import { TimesCard } from './times-card.tsx';

/**
 * Everything below the chart of a report: where, with what and when people clicked, and the recent
 * clicks. Pressing a row filters the page.
 */
export function ReportGrid({
  report,
  filtering,
  onUpgrade,
}: {
  report: AnalyticsResponse;
  filtering: Filtering;
  onUpgrade: () => void;
}) {
  const advancedCards = useFocusAfterUpgrade(report.advanced);
  const { filter, shown, error, clear } = filtering;
  const analytics = shown?.analytics ?? { ...report.analytics, totalClicks: clicksOfDays(report) };
  // If the filtered report fails, the unfiltered numbers must not be mistaken for filtered ones.
  if (filter !== null && error !== null && shown === null)
    return <ReportFilterBar filtering={filtering} />;
  const hours = shown === null ? (report.advanced ? report.analytics.clicksByHour : null) : null;
  return (
    <>
      <ReportFilterBar filtering={filtering} />
      <div className="flex flex-col gap-4">
        <div className="grid min-w-0 gap-4 lg:grid-cols-2">
          <PlacesCard analytics={analytics} filtering={filtering} />
          <DevicesCard analytics={analytics} filtering={filtering} />
        </div>
        {report.advanced ? (
          <section
            ref={advancedCards}
            aria-label="Advanced analytics"
            tabIndex={-1}
            className="grid min-w-0 gap-4 lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2"
          >
            <SourcesCard analytics={analytics} filtering={filtering} />
            <TimesCard clicksByHour={hours} days={daysOf(report.range)} onClear={clear} />
            {hasCampaigns(report.analytics) && (
              <CampaignsCard analytics={analytics} filtering={filtering} />
            )}
          </section>
        ) : (
          <LockedPanel onUpgrade={report.viewer === 'owner' ? onUpgrade : null} />
        )}
        <Panel
          title="Recent Clicks"
          hint={`${filter === null ? 'The' : 'Those that match, of the'} last ${RECENT_CLICKS_MAX} clicks within ${KEEP_RECENT_CLICKS_DAYS} days, in your time zone.`}
        >
          {analytics.recentClicks.length > 0 ? (
            <RecentClicks clicks={analytics.recentClicks} />
          ) : filter === null ? (
            <EmptyState title="No clicks in this range" />
          ) : (
            <EmptyState title="No recent clicks match the filter" />
          )}
        </Panel>
      </div>
    </>
  );
}

/**
 * Focuses the cards that replace the locked panel if its button had the focus, which would
 * otherwise be lost.
 */
function useFocusAfterUpgrade(advanced: boolean) {
  const cards = useRef<HTMLElement>(null);
  const wasAdvanced = useRef(advanced);
  useEffect(() => {
    if (advanced && !wasAdvanced.current && document.activeElement === document.body)
      cards.current?.focus({ preventScroll: true });
    wasAdvanced.current = advanced;
  }, [advanced]);
  return cards;
}
