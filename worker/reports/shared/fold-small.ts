import type { SharedRow } from '#contract/reports/shared-reports.ts';
import { LEAST_SHOWN_CLICKS } from '#contract/reports/shared-reports.ts';

/** The value under which clicks are stored beyond a day's cap, and the fold of small values. */
export const OTHER = 'Other';
/** The most values of a list. */
const ROWS_MAX = 20;

export type Folded = { rows: SharedRow[]; other: number };

const descending = (a: SharedRow, b: SharedRow): number =>
  b.clicks - a.clicks || (a.name < b.name ? -1 : 1);

/**
 * Adds values with few clicks up as `other`. If their sum is small as well, the next larger values
 * follow until it is not: otherwise the total minus the shown values would reveal a small count. If
 * even all values together are few, no value is shown and `other` is their sum.
 */
export function foldSmall(rows: readonly SharedRow[], max = ROWS_MAX): Folded {
  const shown = rows.filter(({ name, clicks }) => name !== OTHER && clicks > 0).sort(descending);
  let other = sumOf(rows.filter(({ name }) => name === OTHER));
  for (;;) {
    const last = shown.at(-1);
    if (last === undefined) break;
    const isSmall = last.clicks < LEAST_SHOWN_CLICKS || shown.length > max;
    const needsMore = other > 0 && other < LEAST_SHOWN_CLICKS;
    if (!isSmall && !needsMore) break;
    other += last.clicks;
    shown.pop();
  }
  return { rows: shown, other };
}

/**
 * Folds cities within their countries, and the cities of small countries into `other`. Folded over
 * all countries, a country's clicks minus those of its shown cities could be a small count.
 */
export function foldCities(cities: readonly SharedRow[]): Folded {
  const byCountry = Map.groupBy(cities, ({ country = '' }) => country);
  const countries = foldSmall(
    [...byCountry].map(([name, some]) => ({ name, clicks: sumOf(some) })),
  );
  const rows = countries.rows.flatMap(({ name: country }) => {
    const folded = foldSmall(byCountry.get(country) ?? []);
    const rest = folded.other === 0 ? [] : [{ name: OTHER, country, clicks: folded.other }];
    return [...folded.rows, ...rest];
  });
  const listed = rows.sort(descending).slice(0, ROWS_MAX);
  return { rows: listed, other: countries.other + sumOf(rows.slice(ROWS_MAX)) };
}

const sumOf = (rows: readonly { clicks: number }[]): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0);
