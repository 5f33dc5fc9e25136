import { add, sumOf, UNLISTED_PAIRS, type ClickCounts, type Pair, type Tally } from './counts.ts';

/*
 * The names of a pair are in the same counts already, so a pair is stored as its position among all
 * combinations of a country and a value, country by country. Positions are sorted, and each is
 * stored as the distance from the one before. A pair with several clicks has a negative distance,
 * and its number of clicks follows. Where all clicks have one country, or one value, pairs are not
 * stored, because the other counts tell them.
 */

/** The position of UNLISTED_PAIRS, before all others. */
const UNLISTED = -1;
const START = UNLISTED - 1;

type Names = { countries: Tally; values: Tally };

const firstName = (val: string): string => val.slice(0, val.indexOf('|'));

function sumByFirstName(tally: Tally): Tally {
  const sums: Tally = new Map();
  for (const [val, n] of tally) add(sums, firstName(val), n);
  return sums;
}

const namesOf = (
  pair: Pair,
  { place, agent, ref }: Pick<ClickCounts, 'place' | 'agent' | 'ref'>,
) => ({
  countries: sumByFirstName(place),
  values: pair === 'devices' ? sumByFirstName(agent) : ref,
});

const isKnown = ({ countries, values }: Names): boolean => countries.size <= 1 || values.size <= 1;

/** The stored form of pairs: empty if the other counts tell them, or if they are incomplete. */
export function encodePairs(pair: Pair, counts: ClickCounts): number[] {
  const tally = counts[pair];
  const names = namesOf(pair, counts);
  if (isKnown(names) || sumOf(tally) !== counts.human) return [];
  const rows = [...names.countries.keys()];
  const columns = [...names.values.keys()];
  const [rowOf, columnOf] = [rows, columns].map((all) => new Map(all.map((name, i) => [name, i])));
  const positions = new Map<number, number>();
  for (const [val, n] of tally) {
    const row = rowOf?.get(firstName(val));
    const column = columnOf?.get(val.slice(val.indexOf('|') + 1));
    const position =
      row === undefined || column === undefined ? UNLISTED : row * columns.length + column;
    positions.set(position, (positions.get(position) ?? 0) + n);
  }
  let last = START;
  return [...positions]
    .sort(([a], [b]) => a - b)
    .flatMap(([position, n]) => {
      const gap = position - last;
      last = position;
      return n === 1 ? [gap] : [-gap, n];
    });
}

export function decodePairs(
  pair: Pair,
  stored: readonly (string | number)[],
  counts: Pick<ClickCounts, 'place' | 'agent' | 'ref'>,
): Tally {
  const names = namesOf(pair, counts);
  const tally: Tally = new Map();
  if (isKnown(names)) {
    for (const [country, clicks] of names.countries)
      for (const [value, n] of names.values) tally.set(`${country}|${value}`, Math.min(clicks, n));
    return tally;
  }
  const rows = [...names.countries.keys()];
  const columns = [...names.values.keys()];
  let position = START;
  for (let i = 0; i < stored.length; i++) {
    const gap = Number(stored[i]);
    position += Math.abs(gap);
    const n = gap > 0 ? 1 : Number(stored[++i]);
    const row = rows[Math.floor(position / columns.length)];
    const val = `${row}|${columns[position % columns.length]}`;
    tally.set(position === UNLISTED ? UNLISTED_PAIRS : val, n);
  }
  return tally;
}
