import type { CountsByName } from '#contract/analytics.ts';

/**
 * Sums clicks by weekday, Monday first, and by hour in the reader's time zone. Hours start at
 * `minute` in zones whose offset is not a whole number of hours.
 */
export function sumByWeekdayAndHour(clicksByHour: CountsByName): {
  minute: number;
  weekdays: number[][];
} {
  const weekdays = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  let minute = 0;
  for (const [ms, clicks] of Object.entries(clicksByHour)) {
    const start = new Date(Number(ms));
    minute = start.getMinutes();
    const hours = weekdays[(start.getDay() + 6) % 7];
    if (hours !== undefined) hours[start.getHours()] = (hours[start.getHours()] ?? 0) + clicks;
  }
  return { minute, weekdays };
}
