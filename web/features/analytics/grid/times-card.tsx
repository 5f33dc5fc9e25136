import { formatDateInUtc } from '#web/shared/format.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { plural } from '#contract/language.ts';
import type { TimesResponse } from '#contract/times.ts';
import { NO_CLICKS_IN_RANGE } from '#web/features/analytics/metrics.ts';
import { REFETCH_INTERVAL_MS } from '#web/features/analytics/queries.ts';
import { TIME_ZONE } from '#web/features/analytics/zone.ts';
import { api } from '#web/shared/api.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { NoRows, type CardSpec } from './grid-card.tsx';
import { HeatMap, HoursOfDay } from './heat-map.tsx';

/** With fewer clicks, weekdays and hours would show chance as a pattern. */
const PATTERN_FROM = 100;

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
  const isNear = useIsNear(box);
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
          <ErrorLine message="Failed to load the times." query={times} />
        ) : isNear ? (
          <Loading label="Loading the times…">
            <Skeleton className="m-2 h-40" />
          </Loading>
        ) : (
          <Skeleton className="m-2 h-40" />
        )
      ) : (
        <Counts times={times.data} />
      )}
    </div>
  );
}

export function Counts({ times }: { times: TimesResponse }) {
  const { totalClicks, clicksByWeekHour, hoursSince } = times;
  const weekdays = Array.from({ length: 7 }, (_, day) =>
    clicksByWeekHour.slice(day * 24, day * 24 + 24),
  );
  if (totalClicks === 0) return <NoRows>{NO_CLICKS_IN_RANGE}</NoRows>;
  return (
    <div className="px-2 pb-1">
      {totalClicks < PATTERN_FROM ? (
        <>
          <p className="pb-2 text-13 text-ink-3">
            Not enough clicks for a pattern yet: {plural(totalClicks, 'click')} by hour of the day.
          </p>
          <HoursOfDay weekdays={weekdays} />
        </>
      ) : (
        <HeatMap weekdays={weekdays} />
      )}
      {hoursSince !== null && (
        <p className="mt-1 text-12 text-ink-3">
          Hours are kept since {formatDateInUtc(hoursSince)}.
        </p>
      )}
    </div>
  );
}

/** True from the first time that the element is in the window or close to it. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
