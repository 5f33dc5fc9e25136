import type { Filter, PairedDimension } from '#contract/reports/report-filter.ts';
import { startOfMonth } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import { add, sumOf, UNLISTED_PAIRS, type Pair, type Tally } from '#worker/clicks/fold/counts.ts';
import { countNames, valueOf } from './filter-values.ts';
import type { DatedCounts } from './read-parts.ts';

/** The part of the counts that has the pairs of a country with each dimension. */
export const PAIR_OF = { device: 'devices', referrer: 'sources' } as const satisfies Record<
  PairedDimension,
  Pair
>;

/** A name for the pairs that a day had no room to list. */
const OTHER = 'Other';

export type PairCounts = {
  /** Clicks by the name of the other dimension, those beyond the listed pairs under 'Other'. */
  byName: Tally;
  /** The clicks of the filters by the start of the day or month in ms. */
  dates: Map<number, number>;
  /** Clicks beyond the listed pairs that may match both filters. */
  unlisted: number;
  /** The time in ms since when the pairs are known; null if they always are. */
  since: number | null;
};

/**
 * Counts the pairs of a country with `dimension` that one or two filters accept, from the first day
 * after which all pairs are known. Null if they are known on no day with such clicks.
 */
export function countPairs(
  rows: readonly DatedCounts[],
  dimension: PairedDimension,
  filters: readonly Filter[],
  oldestDay: number,
): PairCounts | null {
  const known = rows.map((row) => ({ at: row.at, ...pairsOf(row, dimension, filters) }));
  const lastUnknown = Math.max(-1, ...known.flatMap(({ at, isKnown }) => (isKnown ? [] : [at])));
  const isUsed = known.filter(({ at, clicks }) => at > lastUnknown && clicks > 0);
  if (lastUnknown >= 0 && isUsed.length === 0) return null;
  const result: PairCounts = {
    byName: new Map(),
    dates: new Map(),
    unlisted: 0,
    since: lastUnknown < 0 ? null : nextPeriod(lastUnknown, oldestDay),
  };
  for (const { at, byName, unlisted } of isUsed) {
    for (const [name, n] of byName) {
      add(result.byName, name, n);
      result.dates.set(at, (result.dates.get(at) ?? 0) + n);
    }
    result.unlisted += unlisted;
  }
  return result;
}

const nextPeriod = (at: number, oldestDay: number): number =>
  at < oldestDay ? startOfMonth(at, 1) : at + DAY_MS;

function pairsOf({ counts }: DatedCounts, dimension: PairedDimension, filters: readonly Filter[]) {
  const pairs = counts[PAIR_OF[dimension]];
  const countries = countNames('country', counts);
  const values = countNames(dimension, counts);
  const country = filters.find((filter) => filter.dimension === 'country')?.value;
  const value = filters.find((filter) => filter.dimension === dimension)?.value;
  const clicksOf = (tally: Tally, name: string | undefined) =>
    name === undefined ? Number.POSITIVE_INFINITY : (tally.get(name) ?? 0);
  const clicks = Math.min(clicksOf(countries, country), clicksOf(values, value));
  const byName: Tally = new Map();
  let [restOfCountry, restOfValue] = [clicksOf(countries, country), clicksOf(values, value)];
  for (const [pair, n] of pairs) {
    if (pair === UNLISTED_PAIRS) continue;
    const separator = pair.indexOf('|');
    const names = {
      country: valueOf('country', pair),
      value: valueOf(dimension, pair.slice(separator + 1)),
    };
    if (names.value === OTHER && value !== undefined) continue;
    if (names.country === country) restOfCountry -= n;
    if (names.value === value) restOfValue -= n;
    if (country !== undefined && names.country !== country) continue;
    if (value !== undefined && names.value !== value) continue;
    add(byName, country === undefined ? names.country : names.value, n);
  }
  const rest = Math.min(restOfCountry, restOfValue);
  const isPair = country !== undefined && value !== undefined;
  if (!isPair && rest > 0) add(byName, OTHER, rest);
  return {
    // The pairs are not needed if the filters accept no clicks.
    isKnown: clicks === 0 || sumOf(pairs) === counts.human,
    clicks,
    byName,
    unlisted: isPair ? rest : 0,
  };
}
