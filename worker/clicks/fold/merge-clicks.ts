import { dayNumber } from '#contract/reports/periods.ts';
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

/** The stored counts of a link. Of its earlier days, only those with new clicks are read. */
export type StoredLinkCounts = {
  /** Rises with every change of the link. 0 = nothing is stored yet. */
  rev: number;
  first: number | null;
  last: number | null;
  /** The latest day with clicks, whose `counts` are in the link's own row; 0 = none. */
  day: number;
  counts: StoredCounts;
  days: Map<number, StoredCounts>;
  /** The stored set of each day whose visitors can still be recognized. */
  visitorSets: Map<number, string>;
  /** The UTM values of the link's target (see `utmOf`). */
  utm: string;
  /** The keys of counted windows that the link's row stores. */
  windowKeys: string[];
};

/**
 * What a fold writes for a link. `added` is added to the totals, `recent` to the recent clicks.
 * Months that contain the day `reopenFrom` or a later one have to be added up again.
 */
export type CountsChange = StoredLinkCounts & {
  added: Sums;
  recent: StoredRecentClick[];
  reopenFrom: number | null;
};

export const noStoredCounts = (): StoredLinkCounts => ({
  rev: 0,
  first: null,
  last: null,
  day: 0,
  counts: NO_CLICKS,
  days: new Map(),
  visitorSets: new Map(),
  utm: '',
  windowKeys: [],
});

/**
 * Adds clicks to the stored counts of a link; no other code decides what a click changes. Usually
 * only the link's own row changes, until a click on a newer day moves the previous day out of it.
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
    visitorSets: new Map([...stored.visitorSets].filter(([day]) => keepsVisitors(day, now))),
  };
  for (const [day, { counts, visitors }] of [...clicks.days].sort(([a], [b]) => a - b)) {
    const visitorSet = addVisitors(change.visitorSets.get(day) ?? '', visitors);
    const more = {
      ...counts,
      visitors: visitorSet.added,
      seen: visitorSet.byHour,
      destinationSeen: visitorSet.byDestination,
      utm: withOwnUtm(counts, stored.utm),
    };
    if (visitorSet.added > 0 && keepsVisitors(day, now))
      change.visitorSets.set(day, visitorSet.stored);
    addSums(change.added, more);
    const sum = decodeCounts(countsOfDay(day, stored, change));
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

/**
 * The oldest day that cannot be part of a month yet. Earlier days may be added to their month at
 * any time.
 */
export const oldestOpenDay = (now: number): number => dayNumber(now) - 2;

/** Counts human clicks by UTM values. A value of the link's target wins over a forwarded one. */
function withOwnUtm({ human, utm }: ClickCounts, targetUtm: string): Tally {
  if (targetUtm === '') return utm;
  const targetValues = targetUtm.split('|');
  const tally: Tally = new Map();
  for (const [forwarded, n] of utm) {
    const forwardedValues = forwarded.split('|');
    add(tally, targetValues.map((value, i) => value || (forwardedValues[i] ?? '')).join('|'), n);
  }
  const withoutUtm = human - sumOf(utm);
  if (withoutUtm > 0) add(tally, targetUtm, withoutUtm);
  return tally;
}

/**
 * Returns the stored counts of a day. A day newer than the latest becomes the latest, and the
 * previous one moves to a separate row.
 */
function countsOfDay(day: number, stored: StoredLinkCounts, change: CountsChange): StoredCounts {
  if (day < change.day) return change.days.get(day) ?? stored.days.get(day) ?? NO_CLICKS;
  if (day > change.day) {
    if (change.day > 0) change.days.set(change.day, change.counts);
    change.day = day;
    change.counts = NO_CLICKS;
  }
  return change.counts;
}
