import { plural } from '#contract/language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** "1 minute", "10 minutes", "1 hour", "24 hours", "7 days". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const rounded = minutes * MINUTE_MS;
  if (rounded % DAY_MS === 0 && rounded > DAY_MS) return plural(rounded / DAY_MS, 'day');
  if (rounded % HOUR_MS === 0) return plural(rounded / HOUR_MS, 'hour');
  return plural(minutes, 'minute');
}
