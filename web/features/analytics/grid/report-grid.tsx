import { Suspense, useEffect, useRef } from 'react';
import type { AnalyticsResponse } from '#contract/reports/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS } from '#contract/limits.ts';
import { clicksOfDays, NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { loadOnline } from '#web/ui/load-online.ts';
import { useHint } from '#web/ui/use-hint.tsx';
import type { CardProps } from './card-views.tsx';
import { devicesCard, LockedPanel, sourcesCard } from './cards.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filtering } from './filters.ts';
import { CardGrid } from './card-grid.tsx';
import { placesCard } from './places-card.tsx';
import { RecentClicks } from './recent-clicks.tsx';
import { CLICK_STORAGE } from '#contract/reports/click-storage.ts';
import { timesCard } from './times-card.tsx';
import { useWide } from './use-wide.ts';

const DestinationsCard = lazyOr(() =>
  loadOnline(() => import('./destinations-card.tsx').then((m) => m.DestinationsCard)),
);

/**
 * Everything below the chart of a report: where, with what and when people clicked, and the recent
 * clicks. Pressing a row filters the page.
 */
export function ReportGrid({
  report,
  filtering,
  timesPath,
  onUpgrade,
}: {
  report: AnalyticsResponse;
  filtering: Filtering;
  timesPath: string;
  onUpgrade: () => void;
}) {
  const wide = useWide();
  const details = useFocusAfterUpgrade(report.advanced);
  const { shown } = filtering;
  const isFiltered = filtering.filters.length > 0;
  // If the filtered report fails, the unfiltered numbers must not be mistaken for filtered ones.
  if (isFiltered && filtering.error !== null && shown === null)
    return <FilterBar filtering={filtering} />;
  const props = propsOf(report, filtering);
  const recent = (shown ?? report).analytics.recentClicks;
  const cards = [
    placesCard(props, wide),
    sourcesCard(props),
    devicesCard(props),
    ...(report.advanced ? [timesCard(isFiltered ? null : timesPath)] : []),
  ];
  return (
    <>
      <FilterBar filtering={filtering} />
      <section
        ref={details}
        aria-label="Details"
        tabIndex={-1}
        className="flex flex-col gap-4 outline-none"
      >
        <CardGrid filtering={filtering} cards={cards} />
      </section>
      {shown === null && report.analytics.destinations.length > 0 && (
        <Suspense fallback={null}>
          <DestinationsCard
            code={report.url.short_code}
            destinations={report.analytics.destinations}
            canChange={report.viewer === 'owner'}
          />
        </Suspense>
      )}
      {!report.advanced && <LockedPanel onUpgrade={report.viewer === 'owner' ? onUpgrade : null} />}
      <RecentCard>
        {recent.length > 0 ? (
          <RecentClicks clicks={recent} />
        ) : (
          <EmptyState
            title={isFiltered ? 'No recent clicks match the filter' : NO_CLICKS_IN_RANGE}
          />
        )}
      </RecentCard>
    </>
  );
}

function propsOf(report: AnalyticsResponse, filtering: Filtering): CardProps {
  const { shown } = filtering;
  if (shown === null)
    return {
      analytics: { ...report.analytics, totalClicks: clicksOfDays(report) },
      filtering,
      sample: null,
    };
  const { recentClicks, totalClicks } = shown.analytics;
  return {
    analytics: { ...shown.analytics, totalClicks: totalClicks ?? 0 },
    filtering,
    sample: { clicks: recentClicks, of: shown.recent.of },
  };
}

function RecentCard({ children }: { children: React.ReactNode }) {
  const [hintButton, hint] = useHint(
    'Recent Clicks',
    `${CLICK_STORAGE} This list shows those of the last ${KEEP_RECENT_CLICKS_DAYS} days.`,
  );
  return (
    <Card>
      <div className="border-b border-line px-4 py-1 sm:px-5">
        <div className="flex h-10 items-center">
          <h2 className="text-14 font-medium">Recent Clicks</h2>
          {hintButton}
        </div>
        {hint && <div className="pb-2">{hint}</div>}
      </div>
      <div className="p-4 sm:p-5">{children}</div>
    </Card>
  );
}

/**
 * Focuses the cards after an upgrade if the button of the locked panel had the focus, which would
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
