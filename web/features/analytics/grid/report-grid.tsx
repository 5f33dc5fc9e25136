import { useEffect, useRef } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { clicksOfDays, NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { daysOf } from '#web/features/analytics/range.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import {
  CampaignsCard,
  DevicesCard,
  LockedPanel,
  PlacesCard,
  SourcesCard,
  hasCampaigns,
} from './cards.tsx';
import { describeFilter, explainFilter, type Filtering } from './filters.ts';
import { RecentClicks } from './recent-clicks.tsx';
import { TimesCard } from './times-card.tsx';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { ErrorLine } from '#web/ui/error-line.tsx';

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
            <EmptyState title={NO_CLICKS_IN_RANGE} />
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

/**
 * Shows how to filter, or the filter as a chip that removes it. Its height is the same in both
 * cases, and it stays in view while the page is filtered.
 */
function ReportFilterBar({ filtering }: { filtering: Filtering }) {
  const { filter, error, retry, retrying, clear } = filtering;
  const bar = useRef<HTMLDivElement>(null);
  const name = filter === null ? '' : describeFilter(filter);
  return (
    <>
      <section
        ref={bar}
        aria-label="Filter"
        aria-live="polite"
        tabIndex={-1}
        className={clsx(
          '-my-1 flex min-h-9 min-w-0 items-center gap-x-3 rounded-lg text-13 text-ink-3 pointer-coarse:min-h-12',
          filter === null
            ? 'print:hidden'
            : 'sticky top-16 z-10 border border-line bg-raised pe-3 shadow-float print:static print:shadow-none',
        )}
      >
        {filter === null ? (
          <p className="px-1">Choose a country, device or other row to filter the page by it.</p>
        ) : (
          <>
            <button
              type="button"
              aria-label={`Remove filter ${name}`}
              title="Remove the filter"
              onClick={() => {
                clear();
                // The chip disappears together with its focus.
                bar.current?.focus({ preventScroll: true });
              }}
              className="my-0.5 ms-0.5 inline-flex h-8 max-w-[70%] min-w-0 items-center lg:shrink-0 gap-1.5 rounded-md bg-accent-soft px-2.5 font-medium text-accent hover:bg-hover pointer-coarse:h-11 forced-colors:border"
            >
              <span className="truncate">{name}</span>
              <X className="size-4 shrink-0" />
            </button>
            <p className="min-w-0 truncate max-lg:sr-only" title={explainFilter(filter)}>
              {explainFilter(filter)}
            </p>
          </>
        )}
      </section>
      {filter !== null && (
        <p className="-mt-2 px-1 text-13 text-ink-3 lg:hidden">{explainFilter(filter)}</p>
      )}
      {error !== null && (
        <ErrorLine
          message={`Failed to load the filtered report${filtering.shown === null ? ', so the figures above count all clicks' : ''}. ${error.message}`}
          query={{ refetch: retry, isFetching: retrying }}
        />
      )}
    </>
  );
}
