/**
 * What can be said about how often each of several destinations was chosen. The unit is the visitor:
 * each of them is one draw a day, while the clicks of one visitor all lead to the same destination.
 */

/** A share between 0 and 1, with the bounds of its 95 % interval. */
export type MeasuredShare = { measured: number; low: number; high: number };

/** The quantile of the normal distribution for 95 %. */
const Z = 1.96;

/** The share of `n` among `total`, with Wilson's score interval. Null without any. */
export function measureShare(n: number, total: number): MeasuredShare | null {
  if (total <= 0) return null;
  const measured = n / total;
  const center = (measured + Z ** 2 / (2 * total)) / (1 + Z ** 2 / total);
  const spread = Math.sqrt((measured * (1 - measured)) / total + Z ** 2 / (4 * total ** 2));
  const margin = (Z * spread) / (1 + Z ** 2 / total);
  return {
    measured: round(measured),
    low: round(Math.max(0, center - margin)),
    high: round(Math.min(1, center + margin)),
  };
}

/** To hundredths of a percent. */
const round = (share: number): number => Math.round(share * 10_000) / 10_000;

export type ShareVerdict = 'too_few' | 'as_set' | 'differs';

/** The critical values of the chi-square test at 1 %, by degrees of freedom. */
const CRITICAL = [0, 6.63, 9.21, 11.34, 13.28];
/** The test needs this many expected visitors at each destination. */
const EXPECTED_MIN = 5;
const VISITORS_MIN = 100;

/**
 * Whether the visitors of the destinations differ from their set shares (in percent) by more than
 * chance explains: once in a hundred times it would. `too_few` if there are not enough visitors to
 * tell.
 */
export function compareShares(rows: readonly { weight: number; visitors: number }[]): ShareVerdict {
  const total = rows.reduce((sum, { visitors }) => sum + visitors, 0);
  const expected = rows.map(({ weight }) => (total * weight) / 100);
  const critical = CRITICAL[rows.length - 1] ?? 0;
  if (critical === 0 || total < VISITORS_MIN || expected.some((n) => n < EXPECTED_MIN))
    return 'too_few';
  const chiSquare = rows.reduce((sum, { visitors }, at) => {
    const n = expected[at] ?? 0;
    return sum + (visitors - n) ** 2 / n;
  }, 0);
  return chiSquare > critical ? 'differs' : 'as_set';
}
