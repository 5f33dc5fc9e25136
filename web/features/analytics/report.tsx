import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { AnalyticsResponse } from '#contract/analytics.ts';
import { KEEP_RECENT_CLICKS_DAYS, RECENT_CLICKS_MAX } from '#contract/limits.ts';
import { formatDate, formatNumber, plural } from '#web/shared/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Stats } from '#web/ui/stats.tsx';
import { ClicksChart } from './clicks-chart.tsx';
import { DevicePanel, PlacePanel, ReferrerPanel } from './dimension-panels.tsx';
import { firstDayShown } from './range.ts';
import { RecentClicks } from './recent-clicks.tsx';
import { buildSeries } from './series.ts';

/** The statistics and panels of one report. `stale`: another range is loading, and this is still the previous one. */
export function Report({ report, stale, ad }: { report: AnalyticsResponse; stale: boolean; ad: ReactNode }) {
  const { analytics, url, setAside: excluded } = report;
  const now = Date.parse(report.generatedAt);
  const isEmpty = analytics.totalClicks === 0;
  return (
    <div className={clsx('flex flex-col gap-4 transition-opacity duration-150', stale && 'opacity-50')} aria-busy={stale}>
      <Stats
        items={[
          {
            label: 'Total Clicks',
            value: formatNumber(analytics.totalClicks),
            definition: 'Clicks by people. Bots and prefetches are counted separately and not included here.',
            note: describeExcludedClicks(excluded),
          },
          {
            label: 'Unique Visitors',
            value: formatNumber(analytics.uniqueClicks),
            definition:
              'Each person counts once per link and day. The key that identifies visitors changes daily and is destroyed.',
          },
          {
            label: 'Active Days',
            value: formatNumber(analytics.activeDays),
            definition: 'Days (UTC) with at least one click.',
          },
          { label: 'Created', value: <span className="text-20">{formatDate(url.created_at)}</span> },
        ]}
      />
      <Panel title="Clicks by Date" hint="Days are UTC.">
        {isEmpty ? (
          <NoClicks />
        ) : (
          <ClicksChart series={buildSeries(analytics.clicksByDate, firstDayShown(report.range, now), now)} />
        )}
      </Panel>
      {ad}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <PlacePanel analytics={analytics} />
        <DevicePanel analytics={analytics} />
      </div>
      <ReferrerPanel analytics={analytics} />
      <Panel
        title="Recent Clicks"
        hint={`The last ${RECENT_CLICKS_MAX} clicks within ${KEEP_RECENT_CLICKS_DAYS} days, in your time zone.`}
      >
        {analytics.recentClicks.length === 0 ? <NoClicks /> : <RecentClicks clicks={analytics.recentClicks} />}
      </Panel>
    </div>
  );
}

const NoClicks = () => <EmptyState title="No clicks yet">Share the short link. Clicks appear here within seconds.</EmptyState>;

/** '12 bots and 3 prefetches excluded' */
function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [bots > 0 ? plural(bots, 'bot') : '', prefetches > 0 ? plural(prefetches, 'prefetch', 'prefetches') : ''];
  const excluded = parts.filter((part) => part !== '').join(' and ');
  return excluded === '' ? 'No bots or prefetches' : `${excluded} excluded`;
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
