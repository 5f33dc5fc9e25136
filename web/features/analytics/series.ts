import type { Counts } from '#contract/analytics.ts';

/** At most `max` entries of `counts`, most clicks first; ties are ordered by name. */
export function rankCounts(counts: Counts, max: number): { name: string; clicks: number }[] {
  return Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name))
    .slice(0, max);
}

/**
 * Clicks by hour of the day in the reader's time zone: 24 entries from midnight on. `hour` is the hour's start, '14:00'; in a zone
 * that is half an hour off, hours start at half past.
 */
export function sumByHourOfDay(clicksByHour: Counts): { hour: string; clicks: number }[] {
  const sums = Array.from({ length: 24 }, () => 0);
  let minutes = 0;
  for (const [ms, clicks] of Object.entries(clicksByHour)) {
    const start = new Date(Number(ms));
    minutes = start.getMinutes();
    sums[start.getHours()] = (sums[start.getHours()] ?? 0) + clicks;
  }
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return sums.map((clicks, hour) => ({ hour: `${twoDigits(hour)}:${twoDigits(minutes)}`, clicks }));
}
