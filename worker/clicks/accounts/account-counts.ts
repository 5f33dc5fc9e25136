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
  negate,
  sumsOf,
} from '#worker/clicks/fold/counts.ts';
import {
  parseCounts,
  encodeCounts,
  tallyOf,
  type StoredCounts,
} from '#worker/clicks/fold/counts-codec.ts';
import { type LinkDays } from './read-link-days.ts';

/** The number of most clicked links that a day stores. */
export const TOP_LINKS_OF_DAY = 200;
/** An account has more places, agents and referrers a day than one link, so its caps are higher. */
const CAP_FACTOR = 2;

/** The part of a link's counts that its account's days include (see `rolled_up_links`). */
export type RolledUp = { user: string; totals: Sums; days: Map<number, ClickCounts> };

/**
 * How a day of an account changes: the counts to add (`more`), the counts to subtract (`less`), and
 * the new human clicks of each changed link on that day. 0 removes the link.
 */
export type DayChange = { more: ClickCounts; less: ClickCounts; links: Map<number, number> };
export type AccountChanges = Map<number, DayChange>;

/**
 * Adds a link to its account's days: `changes` gets the difference between `current` and the counts
 * that were rolled up before. Returns false, and changes nothing, if that difference is unknown
 * because clicks have arrived on days before the stored ones.
 */
export function addLink(
  changes: AccountChanges,
  link: number,
  rolledUp: RolledUp | null,
  current: LinkDays,
): boolean {
  const added = noSums();
  const grown: { day: number; more: ClickCounts; clicks: number }[] = [];
  for (const [day, counts] of current.days) {
    const more = difference(counts, rolledUp?.days.get(day) ?? noCounts());
    addSums(added, more);
    if (FIGURES.some((figure) => more[figure] !== 0))
      grown.push({ day, more, clicks: counts.human });
  }
  if (rolledUp !== null) {
    addSums(added, rolledUp.totals);
    if (!isEqual(added, current.totals)) return false;
  }
  for (const { day, more, clicks } of grown) {
    const change = changeOf(changes, day);
    addAll(change.more, more);
    change.links.set(link, clicks);
  }
  return true;
}

/**
 * Subtracts a link from the days of the account that it has left. Returns false, and changes
 * nothing, if clicks have arrived since on days whose rolled-up counts are not stored.
 */
export function subtractLink(
  changes: AccountChanges,
  link: number,
  rolledUp: RolledUp,
  current: LinkDays,
): boolean {
  const last = Math.max(0, ...rolledUp.days.keys());
  const days = [...current.days]
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
 * The days of a link that `rolled_up_links` stores: its last two with clicks. A day before
 * `firstDetailed` has only sums, so it is stored only if it is the last.
 */
export const lastDays = (
  days: ReadonlyMap<number, ClickCounts>,
  firstDetailed: number,
): [number, ClickCounts][] =>
  [...days]
    .sort(([a], [b]) => a - b)
    .slice(-2)
    .filter(([day], i, two) => day >= firstDetailed || i === two.length - 1);

/**
 * Applies a change to the stored `counts` and `top` of an account's day. A day that is not
 * `isDetailed` keeps only its sums.
 */
export function applyChange(
  stored: { counts: string; top: string } | undefined,
  { more, less, links }: DayChange,
  isDetailed: boolean,
): { counts: StoredCounts; top: number[] } {
  const counts = stored === undefined ? noCounts() : parseCounts(stored.counts);
  if (!isDetailed) {
    addSums(counts, more);
    addSums(counts, negate(less));
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

/** Adds without a cap. The caps apply when the change is added to the stored counts. */
const addAll = (sum: ClickCounts, more: ClickCounts): void =>
  addCounts(sum, more, Number.POSITIVE_INFINITY);

/** The increase from `before` to `counts`. Stored counts never decrease. */
function difference(counts: ClickCounts, before: ClickCounts): ClickCounts {
  const more: ClickCounts = { ...noCounts(), ...sumsOf(counts) };
  addSums(more, negate(before));
  for (const part of ['times', 'seen', ...DIMS] as const)
    for (const [value, n] of counts[part]) {
      const increase = n - (before[part].get(value) ?? 0);
      if (increase > 0) more[part].set(value, increase);
    }
  return more;
}

/**
 * Subtracts `less`. A value that is no longer listed was counted under its overflow value, so its
 * remaining clicks are subtracted there.
 */
function subtract(counts: ClickCounts, less: ClickCounts): void {
  addSums(counts, negate(less));
  for (const part of ['times', 'seen'] as const)
    for (const [time, n] of less[part]) subtractUpTo(counts[part], time, n);
  for (const dim of DIMS)
    for (const [value, n] of less[dim]) {
      const left = n - subtractUpTo(counts[dim], value, n);
      if (left > 0) subtractUpTo(counts[dim], overflowValue(dim, value), left);
    }
}

/** Subtracts up to `n` from a value, and returns how much it subtracted. */
function subtractUpTo(tally: Tally, value: string, n: number): number {
  const before = tally.get(value) ?? 0;
  if (before > n) tally.set(value, before - n);
  else tally.delete(value);
  return Math.min(before, n);
}
