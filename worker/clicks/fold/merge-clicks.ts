import { dayNumber } from '#contract/periods.ts';
import type { LinkClicks } from './aggregate-clicks.ts';
import {
  add,
  addCounts,
  addSums,
  noSums,
  sumOf,
  type ClickCounts,
  type Sums,
  type Tally,
} from './counts.ts';
import { decodeCounts, encodeCounts, NO_CLICKS, type StoredCounts } from './counts-codec.ts';
import { firstRecentAt, newestClicks, type StoredRecentClick } from './recent-clicks.ts';
import { keepsVisitors } from './tables.ts';
import { addVisitors } from './visitor-set.ts';

/** What is stored of a link, as far as its new clicks touch it. */
export type StoredLinkCounts = {
  /** Rises with every change of the link. 0 = nothing is stored yet. */
  rev: number;
  first: number | null;
  last: number | null;
  /** The latest day with clicks, which is counted in the link's own row; 0 = none. */
  day: number;
  counts: StoredCounts;
  /** Earlier days. */
  days: Map<number, StoredCounts>;
  /** The visitor sets of days. */
  visitors: Map<number, string>;
  /** The UTM values of its target, see `utmOf`. */
  utm: string;
  /** The keys of counted windows that are stored with the link. */
  windowKeys: string[];
};

/**
 * What to write. The totals grow by `added`, and `recent` joins the recent clicks. Months with the
 * day `reopenFrom` or a later one have to be added up again.
 */
export type CountsChange = StoredLinkCounts & {
  added: Sums;
  recent: StoredRecentClick[];
  reopenFrom: number | null;
};

export const noLink = (): StoredLinkCounts => ({
  rev: 0,
  first: null,
  last: null,
  day: 0,
  counts: NO_CLICKS,
  days: new Map(),
  visitors: new Map(),
  utm: '',
  windowKeys: [],
});

/**
 * Adds clicks to what is stored of a link. Pure, and the only place that decides what a click
 * changes. Usually that is the link's row alone: it counts the latest day. A click of a newer day
 * moves that day to a row of its own.
 */
export function mergeClicks(
  stored: StoredLinkCounts,
  clicks: LinkClicks,
  now: number,
): CountsChange {
  const change: CountsChange = {
    ...stored,
    rev: stored.rev + 1,
    added: noSums(),
    recent: newestClicks(clicks.recent.filter(([at]) => at >= firstRecentAt(now))),
    reopenFrom: null,
    days: new Map(),
    visitors: new Map([...stored.visitors].filter(([day]) => keepsVisitors(day, now))),
  };
  for (const [day, { counts, visitors }] of [...clicks.days].sort(([a], [b]) => a - b)) {
    const set = addVisitors(change.visitors.get(day) ?? '', visitors);
    const more = {
      ...counts,
      visitors: set.added,
      seen: set.byHour,
      utm: withOwnUtm(counts, stored.utm),
    };
    if (set.added > 0 && keepsVisitors(day, now)) change.visitors.set(day, set.stored);
    addSums(change.added, more);
    const sum = decodeCounts(openDay(day, stored, change));
    addCounts(sum, more);
    if (day === change.day) change.counts = encodeCounts(sum);
    else change.days.set(day, encodeCounts(sum));
    if (day < oldestOpenDay(now)) change.reopenFrom ??= day;
  }
  change.first =
    clicks.first === null ? stored.first : Math.min(stored.first ?? clicks.first, clicks.first);
  change.last =
    clicks.last === null ? stored.last : Math.max(stored.last ?? clicks.last, clicks.last);
  return change;
}

/** Days before this one may be added to their month at any moment. From it on, none is. */
export const oldestOpenDay = (now: number): number => dayNumber(now) - 2;

/** Clicks by UTM values: each value of the target, and where it has none, the forwarded one. */
function withOwnUtm({ human, utm }: ClickCounts, own: string): Tally {
  if (own === '') return utm;
  const values = own.split('|');
  const tally: Tally = new Map();
  for (const [forwarded, n] of utm) {
    const others = forwarded.split('|');
    add(tally, values.map((value, i) => value || (others[i] ?? '')).join('|'), n);
  }
  const rest = human - sumOf(utm);
  if (rest > 0) add(tally, own, rest);
  return tally;
}

/**
 * Returns what is stored of a day. A newer day than the latest becomes the latest, whose counts
 * then get a separate row.
 */
function openDay(day: number, stored: StoredLinkCounts, change: CountsChange): StoredCounts {
  if (day < change.day) return change.days.get(day) ?? stored.days.get(day) ?? NO_CLICKS;
  if (day > change.day) {
    if (change.day > 0) change.days.set(change.day, change.counts);
    change.day = day;
    change.counts = NO_CLICKS;
  }
  return change.counts;
}
