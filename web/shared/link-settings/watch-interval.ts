import { MINUTE_MS } from '#contract/time.ts';

/** How often a visible page asks again for a link without clicks, in ms. */
const WATCH_MS = 500;
/** How long a link is young. Its owner is then likely to wait for the first click. */
const YOUNG_MS = 15 * MINUTE_MS;

/**
 * Returns how many ms a visible page waits before it asks for a link's clicks again: less for a
 * young link that has none, because its first click should show within two seconds.
 */
export const watchInterval = (
  link: { clicks: number; created_at: string },
  now: number,
  otherwise: number,
): number =>
  link.clicks === 0 && now - Date.parse(link.created_at) < YOUNG_MS ? WATCH_MS : otherwise;
