import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef } from 'react';
import type { TimesResponse } from '#contract/reports/times.ts';
import { PATTERN_FROM } from '#web/features/analytics/metrics.ts';
import { REFETCH_INTERVAL_MS } from '#web/features/analytics/queries.ts';
import { TIME_ZONE } from '#web/features/analytics/zone.ts';
import { api } from '#web/shared/api/api.ts';
import { useInView } from '#web/shared/page/use-in-view.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import type { CardSpec } from './grid-card.tsx';

const TimesCounts = lazyOr(
  () => import('./times-counts.tsx').then((m) => m.TimesCounts),
  () => (
    <ErrorLine
      message={FAILED}
      query={{ refetch: () => window.location.reload(), isManual: true }}
    />
  ),
);
const FAILED = 'Failed to load the times.';

/** Clicks by weekday and hour. `path` is the request without its time zone; null: not counted. */
export const timesCard = (path: string | null): CardSpec => ({
  title: 'Times',
  label: 'Times',
  param: 'times',
  hint: `When people clicked in this range. Weekdays and hours show from ${PATTERN_FROM} clicks on.`,
  views: [{ name: 'Times', rows: 5, content: path === null ? null : <Times path={path} /> }],
});

function Times({ path }: { path: string }) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useInView(box, true);
  const times = useQuery({
    queryKey: ['analytics', 'times', path, TIME_ZONE],
    enabled: isNear,
    queryFn: ({ signal }) =>
      api<TimesResponse>(`${path}&${new URLSearchParams({ tz: TIME_ZONE }).toString()}`, {
        signal,
      }),
    staleTime: REFETCH_INTERVAL_MS,
    retry: 1,
  });
  return (
    <div ref={box}>
      {times.data === undefined ? (
        times.isError ? (
          <ErrorLine message={FAILED} query={times} />
        ) : isNear ? (
          <LoadingTimes />
        ) : (
          <TimesSkeleton />
        )
      ) : (
        <Suspense fallback={<LoadingTimes />}>
          <TimesCounts times={times.data} />
        </Suspense>
      )}
    </div>
  );
}

const LoadingTimes = () => (
  <Loading label="Loading the times…">
    <TimesSkeleton />
  </Loading>
);

/** A card with it is not printed: its data loads once it comes near the screen. */
const TimesSkeleton = () => (
  <div data-waits="">
    <Skeleton className="m-2 h-40" />
  </div>
);
