import type { LiveClick } from '#contract/reports/live-clicks.ts';

/** How long an arc takes from the country to the link, and to come to rest after that, in ms. */
export const FLIGHT_MS = 1_500;
export const REST_AFTER_MS = 900;
/** The shortest time between two starts, so that each arc can be followed. */
const GAP_MIN_MS = 220;
/** How long a number of clicks take to start if they came at once or much slower. */
const SPAN_MAX_MS = 9_000;

/** A click and when its arc starts, in ms of the clock that the picture is drawn by. */
export type Flight = { click: LiveClick; startAt: number };

/**
 * Returns when the arcs of these clicks start: in their order and rhythm, but within a few seconds
 * from `now` on.
 */
export function planFlights(clicks: readonly LiveClick[], now: number): Flight[] {
  const ordered = clicks
    .map((click) => ({ click, at: Date.parse(click.clickedAt) }))
    .toSorted((a, b) => a.at - b.at);
  const first = ordered[0]?.at ?? 0;
  const scale = Math.min(1, SPAN_MAX_MS / Math.max(1, (ordered.at(-1)?.at ?? 0) - first));
  let next = now;
  return ordered.map(({ click, at }) => {
    const startAt = Math.max(next, now + (at - first) * scale);
    next = startAt + GAP_MIN_MS;
    return { click, startAt };
  });
}

/**
 * Returns when the picture has to be drawn next: 0 for at once, because something moves, a time in
 * ms until the next start, or null if everything is at rest.
 */
export function nextFrameIn(flights: readonly Flight[], now: number): number | null {
  const waits = flights
    .filter(({ startAt }) => now < startAt + FLIGHT_MS + REST_AFTER_MS)
    .map(({ startAt }) => Math.max(0, startAt - now));
  return waits.length === 0 ? null : Math.min(...waits);
}

/** A key for each click. Clicks that are equal get different ones. */
export function keyClicks(clicks: readonly LiveClick[]): Map<string, LiveClick> {
  const keyed = new Map<string, LiveClick>();
  for (const click of clicks) {
    const { clickedAt: at, country, code } = click;
    let key = `${at} ${country} ${code}`;
    while (keyed.has(key)) key += '+';
    keyed.set(key, click);
  }
  return keyed;
}
