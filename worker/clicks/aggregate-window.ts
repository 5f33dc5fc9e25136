import { RECENT_CLICKS_MAX } from '#contract/limits.ts';
import type { ClickEvent, ClickWindow } from '#worker/redirect/click-event.ts';
import type { Dim } from './dimensions.ts';
import { dayNumber, startOfDay, startOfHour } from './periods.ts';
import type { UserAgent } from './user-agent.ts';

/**
 * The counts of one window. Rows are tuples, ready for JSON. They stay with their window because only the database
 * knows which windows are new.
 */
export type WindowRows = {
  /** The window's id in the database: see `windowKey`. */
  key: string;
  /** Number of clicks. */
  events: number;
  counts: CountRow[];
  dims: DimRow[];
  /** Each visitor once per link and day, with the first hour in which they clicked. */
  visitors: VisitorRow[];
  /** The newest clicks of each link, at most as many as a report shows. */
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
type VisitorRow = [link: number, hour: number, dayNumber: number, visitor: string];
type RecentRow = [link: number, at: number, place: string, agent: string, ref: string];

/** Stored values are cut to this many UTF-16 units. */
const VALUE_MAX = 80;

/**
 * A window's key in the database: the day number of its first click, a dot, its id. Both parts come from the message,
 * so every delivery of a window has the same key. The day comes first so that old keys form one range, which the
 * retention job deletes without a second index.
 */
export function windowKey(window: ClickWindow): string {
  const first = window.e.reduce((least, event) => Math.min(least, event.t), Number.MAX_SAFE_INTEGER);
  return `${windowKeyPrefix(first)}.${window.id}`;
}

/** The day part of a window key, for a time in ms. Five digits until the year 2243, so keys sort by day. */
export const windowKeyPrefix = (ms: number): string => String(dayNumber(ms)).padStart(5, '0');

/** Counts the clicks of one window. Pure: the same window always gives the same rows. */
export function aggregateWindow(window: ClickWindow, parseUserAgent: (ua: string) => UserAgent): WindowRows {
  const counts = new Map<string, CountRow>();
  const dims = new Map<string, DimRow>();
  const visitors = new Map<string, VisitorRow>();
  const recent = new Map<number, RecentRow[]>();

  for (const event of window.e) {
    const { l: link, t } = event;
    const agent = parseUserAgent(event.ua);
    const hour = startOfHour(t);
    const count = getOrCreate(counts, `${link} ${hour}`, (): CountRow => [link, hour, 0, 0, 0, null, null]);
    // A bot that prefetches counts as a prefetch.
    if (event.p === 1) count[4] += 1;
    else if (agent.bot) count[3] += 1;
    else {
      count[2] += 1;
      count[5] = Math.min(count[5] ?? t, t);
      count[6] = Math.max(count[6] ?? t, t);
      const place = placeOf(event);
      const device = `${clean(agent.device)}|${clean(agent.browser)}|${clean(agent.os)}`;
      const ref = clean(event.r);
      const day = startOfDay(t);
      for (const [dim, val] of [
        ['place', place],
        ['agent', device],
        ['ref', ref],
      ] as const)
        getOrCreate(dims, `${link} ${day} ${dim} ${val}`, (): DimRow => [link, day, dim, val, 0])[4] += 1;
      if (event.k !== '') {
        const number = dayNumber(t);
        const key = `${link} ${number} ${event.k}`;
        const visitor = getOrCreate(visitors, key, (): VisitorRow => [link, hour, number, event.k]);
        visitor[1] = Math.min(visitor[1], hour);
      }
      getOrCreate(recent, link, () => []).push([link, t, place, device, ref]);
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

/** Cloudflare reports unknown countries as 'XX' and Tor as 'T1': both count as unknown. */
function placeOf(event: ClickEvent): string {
  const country = /^[A-Z]{2}$/.test(event.c) && event.c !== 'XX' ? event.c : '';
  return `${country}|${clean(event.g)}|${clean(event.y)}`;
}

/** Removes what must not be stored or would break a value joined with '|': separators, control characters, lone surrogates. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cs}|]/gu, ' ').slice(0, VALUE_MAX);

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => NoInfer<V>): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
