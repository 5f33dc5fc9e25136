import { getOrCreate } from '#worker/get-or-create.ts';
import {
  addCounts,
  addSums,
  DIMS,
  FIGURES,
  noCounts,
  noSums,
  overflowValue,
  type ClickCounts,
  type Sums,
  type Tally,
  negative,
  sumsOf,
} from '#worker/clicks/fold/counts.ts';
import {
  parseCounts,
  encodeCounts,
  tallyOf,
  type StoredCounts,
} from '#worker/clicks/fold/counts-codec.ts';
import { type LinkDays } from './read-link-days.ts';

/** Links of a day that are kept as its most clicked ones. */
export const TOP_LINKS_OF_DAY = 200;
/** An account has more places, agents and referrers a day than one link. */
const CAP_FACTOR = 2;

/** What of a link is in its account's days: see `rolled_up_links`. */
export type RolledUp = { user: string; totals: Sums; days: Map<number, ClickCounts> };

/**
 * What changes on a day of an account: counts that are added and taken off, and the clicks of links
 * that day, 0 = none any more.
 */
export type DayChange = { more: ClickCounts; less: ClickCounts; links: Map<number, number> };
export type AccountChanges = Map<number, DayChange>;

/**
 * Adds to `changes` what the days of the link's account need to include it as it is `now`. Returns
 * false if that is unknown, because clicks have arrived for days before those that are remembered.
 */
export function addLink(
  changes: AccountChanges,
  link: number,
  rolledUp: RolledUp | null,
  now: LinkDays,
): boolean {
  const added = noSums();
  const additions: (() => void)[] = [];
  for (const [day, counts] of now.days) {
    const before = rolledUp?.days.get(day) ?? noCounts();
    const more = difference(counts, before);
    addSums(added, more);
    if (FIGURES.every((figure) => more[figure] === 0)) continue;
    additions.push(() => {
      const change = changeOf(changes, day);
      addAll(change.more, more);
      change.links.set(link, counts.human);
    });
  }
  if (rolledUp !== null) {
    addSums(added, rolledUp.totals);
    if (!isEqual(added, now.totals)) return false;
  }
  for (const apply of additions) apply();
  return true;
}

/**
 * Adds to `changes` what removes the link from the days of an account. Returns false as above.
 */
export function subtractLink(
  changes: AccountChanges,
  link: number,
  rolledUp: RolledUp,
  now: LinkDays,
): boolean {
  const last = Math.max(0, ...rolledUp.days.keys());
  const days = [...now.days]
    .filter(([day]) => day <= last)
    .map(([day, counts]) => [day, rolledUp.days.get(day) ?? counts] as const);
  const removed = noSums();
  for (const [, counts] of days) addSums(removed, counts);
  if (!isEqual(removed, rolledUp.totals)) return false;
  for (const [day, counts] of days) {
    const change = changeOf(changes, day);
    addAll(change.less, counts);
    change.links.set(link, 0);
  }
  return true;
}

/**
 * The days of a link that are remembered: its last two. Of a day before `firstFullDay` that is not
 * its last, only sums are known.
 */
export const lastDays = (
  days: ReadonlyMap<number, ClickCounts>,
  firstFullDay: number,
): [number, ClickCounts][] =>
  [...days]
    .sort(([a], [b]) => a - b)
    .slice(-2)
    .filter(([day], i, two) => day >= firstFullDay || i === two.length - 1);

/**
 * The stored `counts` and `top` of an account's day with a change. Days before `firstFullDay` have
 * their sums only.
 */
export function applyChange(
  stored: { counts: string; top: string } | undefined,
  { more, less, links }: DayChange,
  isDetailed: boolean,
): { counts: StoredCounts; top: number[] } {
  const counts = stored === undefined ? noCounts() : parseCounts(stored.counts);
  if (!isDetailed) {
    addSums(counts, more);
    addSums(counts, negative(less));
    return { counts: FIGURES.map((figure) => counts[figure]), top: [] };
  }
  addCounts(counts, more, CAP_FACTOR);
  subtract(counts, less);
  const top = tallyOf(stored === undefined ? [] : JSON.parse(stored.top));
  for (const [link, clicks] of links) {
    if (clicks > 0) top.set(String(link), clicks);
    else top.delete(String(link));
  }
  const largest = [...top]
    .sort(([a, m], [b, n]) => n - m || Number(a) - Number(b))
    .slice(0, TOP_LINKS_OF_DAY);
  return {
    counts: encodeCounts(counts),
    top: largest.flatMap(([link, clicks]) => [Number(link), clicks]),
  };
}

const changeOf = (changes: AccountChanges, day: number): DayChange =>
  getOrCreate(changes, day, () => ({
    more: noCounts(),
    less: noCounts(),
    links: new Map<number, number>(),
  }));

const isEqual = (a: Sums, b: Sums): boolean => FIGURES.every((figure) => a[figure] === b[figure]);

/** Adds without a cap: what is added to the stored counts is capped there. */
const addAll = (sum: ClickCounts, more: ClickCounts): void =>
  addCounts(sum, more, Number.POSITIVE_INFINITY);

/** What `counts` has more than `before`. Stored counts only ever grow. */
function difference(counts: ClickCounts, before: ClickCounts): ClickCounts {
  const more: ClickCounts = { ...noCounts(), ...sumsOf(counts) };
  addSums(more, negative(before));
  for (const part of ['times', 'seen', ...DIMS] as const)
    for (const [value, n] of counts[part]) {
      const rest = n - (before[part].get(value) ?? 0);
      if (rest > 0) more[part].set(value, rest);
    }
  return more;
}

/** Takes `less` off. What is not listed any more was counted under the overflow value. */
function subtract(counts: ClickCounts, less: ClickCounts): void {
  addSums(counts, negative(less));
  for (const part of ['times', 'seen'] as const)
    for (const [time, n] of less[part]) take(counts[part], time, n);
  for (const dim of DIMS)
    for (const [value, n] of less[dim]) {
      const left = n - take(counts[dim], value, n);
      if (left > 0) take(counts[dim], overflowValue(dim, value), left);
    }
}

/** Takes up to `n` off a value, and returns how many. */
function take(tally: Tally, value: string, n: number): number {
  const had = tally.get(value) ?? 0;
  if (had > n) tally.set(value, had - n);
  else tally.delete(value);
  return Math.min(had, n);
}
