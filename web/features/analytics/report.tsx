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

/** The figures and panels of one report. `stale`: another range is loading, these are the last one's. */
export function Report({ report, stale, ad }: { report: AnalyticsResponse; stale: boolean; ad: ReactNode }) {
  const { analytics, url, setAside } = report;
  const now = Date.parse(report.generatedAt);
  const none = analytics.totalClicks === 0;
  return (
    <div className={clsx('flex flex-col gap-4 transition-opacity duration-150', stale && 'opacity-50')} aria-busy={stale}>
      <Stats
        items={[
          {
            label: 'Total Clicks',
            value: formatNumber(analytics.totalClicks),
            definition: 'Clicks by people. Bots and prefetches are counted apart and never shown in these figures.',
            note: describeExcludedClicks(setAside),
          },
          {
            label: 'Unique Visitors',
            value: formatNumber(analytics.uniqueClicks),
            definition:
              'One person counts once per link and day: the key that tells people apart changes every day and is destroyed.',
          },
          {
            label: 'Active Days',
            value: formatNumber(analytics.activeDays),
            definition: 'Days (UTC) on which somebody clicked.',
          },
          { label: 'Created', value: <span className="text-20">{formatDate(url.created_at)}</span> },
        ]}
      />
      <Panel title="Clicks by Date" hint="Days are UTC.">
        {none ? <NoClicks /> : <ClicksChart series={buildSeries(analytics.clicksByDate, firstDayShown(report.range, now), now)} />}
      </Panel>
      {ad}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <PlacePanel analytics={analytics} />
        <DevicePanel analytics={analytics} />
      </div>
      <ReferrerPanel analytics={analytics} />
      <Panel
        title="Recent Clicks"
        hint={`The last ${RECENT_CLICKS_MAX} within ${KEEP_RECENT_CLICKS_DAYS} days, in your time zone.`}
      >
        {analytics.recentClicks.length === 0 ? <NoClicks /> : <RecentClicks clicks={analytics.recentClicks} />}
      </Panel>
    </div>
  );
}

const NoClicks = () => (
  <EmptyState title="No clicks yet">Share the short link; the first click shows up here within seconds.</EmptyState>
);

/** 'and 12 bots, 3 prefetches set aside' */
export function describeExcludedClicks({ bots, prefetches }: AnalyticsResponse['setAside']): string {
  const parts = [bots > 0 ? plural(bots, 'bot') : '', prefetches > 0 ? plural(prefetches, 'prefetch', 'prefetches') : ''];
  const said = parts.filter((part) => part !== '').join(', ');
  return said === '' ? 'No bots or prefetches seen' : `${said} set aside`;
}

/** The report's own shape in grey, while it loads. */
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
