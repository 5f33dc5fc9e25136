import { DAY_MS } from '#contract/time.ts';
import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import type { Agent } from './user-agent.ts';
import type { Dim } from './dimensions.ts';
import { startOfDay, startOfHour } from './periods.ts';

/**
 * A window, counted. Rows are JSON-ready tuples and stay with their window, because only the database knows which
 * windows are new.
 */
export type WindowRows = {
  /** What the window's id is stored under: see `windowKey`. */
  key: string;
  events: number;
  counts: CountRow[];
  dims: DimRow[];
  /** Each visitor once per link and day, with their first hour. */
  visitors: VisitorRow[];
  /** No more per link than are ever shown. */
  recent: RecentRow[];
};
type CountRow = [
  link: number,
  hour: number,
  human: number,
  bot: number,
  prefetch: number,
  first: number | null,
  last: number | null,
];
type DimRow = [link: number, day: number, dim: Dim, val: string, n: number];
type VisitorRow = [link: number, hour: number, epochDay: number, visitor: string];
type RecentRow = [link: number, at: number, place: string, agent: string, ref: string];

/**
 * A window's key in the database: the day of its first click, then its id. Both stand in the message, so every
 * delivery has the same key; days in front make old keys one range, which retention deletes without an index.
 */
export function windowKey(window: ClickWindow): string {
  const first = window.e.reduce((least, event) => Math.min(least, event.t), Number.MAX_SAFE_INTEGER);
  return `${windowKeyPrefix(first)}.${window.id}`;
}

/** The front of the keys of windows whose first click is on the day of `ms`. Five digits until the year 2243. */
export const windowKeyPrefix = (ms: number): string => String(Math.floor(ms / DAY_MS)).padStart(5, '0');

/** Counts one window. Pure: the same window gives the same rows. */
export function aggregateWindow(window: ClickWindow, readAgent: (ua: string) => Agent): WindowRows {
  const counts = new Map<string, CountRow>();
  const dims = new Map<string, DimRow>();
  const visitors = new Map<string, VisitorRow>();
  const recent = new Map<number, RecentRow[]>();

  for (const event of window.e) {
    const { l: link, t } = event;
    const agent = readAgent(event.ua);
    const hour = startOfHour(t);
    const count = put(counts, `${link} ${hour}`, (): CountRow => [link, hour, 0, 0, 0, null, null]);
    if (event.p === 1) count[4] += 1;
    else if (agent.bot) count[3] += 1;
    else {
      count[2] += 1;
      count[5] = Math.min(count[5] ?? t, t);
      count[6] = Math.max(count[6] ?? t, t);
      const place = placeOf(event);
      const device = `${clean(agent.device)}|${clean(agent.browser)}|${clean(agent.os)}`;
      const ref = clean(event.r);
      for (const [dim, val] of [
        ['place', place],
        ['agent', device],
        ['ref', ref],
      ] as const)
        put(dims, `${link} ${startOfDay(t)} ${dim} ${val}`, (): DimRow => [link, startOfDay(t), dim, val, 0])[4] += 1;
      if (event.k !== '') {
        const day = Math.floor(t / DAY_MS);
        const visitor = put(visitors, `${link} ${day} ${event.k}`, (): VisitorRow => [link, hour, day, event.k]);
        visitor[1] = Math.min(visitor[1], hour);
      }
      put(recent, link, () => []).push([link, t, place, device, ref]);
    }
  }
  return {
    key: windowKey(window),
    events: window.e.length,
    counts: [...counts.values()],
    dims: [...dims.values()],
    visitors: [...visitors.values()],
    recent: [...recent.values()].flatMap((clicks) => clicks.sort((a, b) => b[1] - a[1]).slice(0, RECENT_CLICKS_MAX)),
  };
}

function placeOf(event: ClickEvent): string {
  const country = /^[A-Z]{2}$/.test(event.c) && event.c !== 'XX' ? event.c : '';
  return `${country}|${clean(event.g)}|${clean(event.y)}`;
}

/** A value fit to be joined with '|' and stored: no separator, no control character or half of a pair, bounded. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cs}|]/gu, ' ').slice(0, 80);

function put<K, V>(map: Map<K, V>, key: K, make: () => NoInfer<V>): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
