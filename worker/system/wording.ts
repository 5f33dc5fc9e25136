import { plural } from '#contract/language.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';

/** ms → '4 seconds', '12 minutes', '3 hours', '2 days': rounded down. */
export function formatDuration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return plural(Math.floor(Math.max(0, ms) / 1000), 'second');
  if (ms < 2 * HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute');
  return ms < 2 * DAY_MS
    ? plural(Math.floor(ms / HOUR_MS), 'hour')
    : plural(Math.floor(ms / DAY_MS), 'day');
}

/** '512 KB', '1.5 GB': units of 1000, as the platform counts its limits. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} KB`;
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
