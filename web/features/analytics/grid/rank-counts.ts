import type { CountsByName } from '#contract/analytics.ts';

/** Returns at most `max` entries of `counts`, most clicks first. Ties are ordered by name. */
export function rankCounts(counts: CountsByName, max: number): { name: string; clicks: number }[] {
  return Object.entries(counts)
    .map(([name, clicks]) => ({ name, clicks }))
    .sort((a, b) => b.clicks - a.clicks || a.name.localeCompare(b.name))
    .slice(0, max);
}
