import type { FullReport } from '#contract/analytics.ts';
import { formatDate, formatUtcMonthDay } from '#web/shared/format.ts';
import { daysOf } from './range.ts';

export function describeComparison({ range, url, analytics }: FullReport): string {
  const days = daysOf(range);
  if (days === null) return 'Choose 24 hours, 7, 30 or 90 days to compare with the period before.';
  const { previousPeriod } = analytics;
  const length = range === '24h' ? '48 hours' : `${2 * days} days`;
  if (previousPeriod === null)
    return `No comparison yet: this link was created on ${formatDate(url.created_at)}, less than ${length} ago.`;
  if (range === '24h')
    return 'Compared with the 24 hours before. The current hour counts up to now.';
  const [from, to] = [previousPeriod.from, previousPeriod.to].map((day) => formatUtcMonthDay(day));
  return `Compared with the ${days} days before, ${from} to ${to}. Today counts up to now.`;
}
