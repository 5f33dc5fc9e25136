import { useQuery } from '@tanstack/react-query';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { plural } from '#contract/language.ts';
import { utcDate } from '#contract/reports/periods.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { api } from '#web/shared/api/api.ts';
import { Card } from '#web/ui/card.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const WEEK_DAYS = 7;

/** The member's clicks of the last seven days, and how they compare with the seven before. */
export function HomeWeek() {
  const { data, isError } = useQuery({
    queryKey: ['overview', 'home'],
    queryFn: ({ signal }) => api<OverviewResponse>('/api/analytics?range=30d', { signal }),
    staleTime: MINUTE_MS,
  });
  return (
    <Card className="flex min-h-10.5 items-center justify-between gap-3 px-3 py-1 text-13 sm:px-4">
      {data === undefined && !isError ? (
        <Skeleton className="h-4 w-64 max-w-full" />
      ) : (
        <p className="min-w-0 text-ink-2 tabular-nums">
          {data === undefined
            ? 'The clicks of this week could not be loaded.'
            : describeWeek(data.analytics.clicksByDate, Date.parse(data.generatedAt))}
        </p>
      )}
      <Link
        to="/analytics"
        className={`inline-flex shrink-0 items-center pointer-coarse:min-h-11 ${textLinkClass}`}
      >
        Analytics
      </Link>
    </Card>
  );
}

/** Days are UTC. Today counts up to now, as on the page that the line leads to. */
export function describeWeek(clicksByDate: Readonly<Record<string, number>>, now: number): string {
  const sumFrom = (daysAgo: number): number =>
    Array.from({ length: WEEK_DAYS }, (_, i) => utcDate(now - (daysAgo + i) * DAY_MS))
      .map((date) => clicksByDate[date] ?? 0)
      .reduce((sum, clicks) => sum + clicks, 0);
  const clicks = sumFrom(0);
  const text =
    clicks === 0 ? 'No clicks in the last 7 days' : `${plural(clicks, 'click')} in the last 7 days`;
  const change = describeChange(clicks, sumFrom(WEEK_DAYS));
  return change === '' ? `${text}.` : `${text}, ${change} in the 7 days before.`;
}

/** Returns '12% more than', or '' if there is nothing to compare with. */
function describeChange(clicks: number, before: number): string {
  if (clicks === 0 || before === 0) return '';
  const percent = Math.round((clicks / before - 1) * 100);
  if (percent === 0) return 'as many as';
  if (percent >= 200) return `${Math.round(clicks / before)} times as many as`;
  return percent > 0 ? `${percent}% more than` : `${-percent}% fewer than`;
}
