/**
 * What is counted of a link in one day or month: four sums, and a tally for each part.
 *
 * - `times`: human clicks by hour of the day; in a month, by day of the month. A day also counts
 *   bots and prefetches here, under the hour with a letter (`HOUR_SUFFIX`).
 * - `seen`: visitors, each once a day, by the hour or day of their first click.
 * - `scans`: human clicks by QR code, by hour or day.
 * - `place` = country|region|city, `agent` = device|browser|os, `ref` = referrer host.
 * - `utm` = source|medium|campaign of the clicks that had any of them.
 * - `destination`: human clicks by the destination that variants chose (`destinationId`).
 * - `destinationSeen`: visitors, each once a day, by the destination of their first click.
 * - `devices` = country|device and `sources` = country|referrer host. They add up to `human`, or are
 *   empty if an earlier release counted some of the clicks without them.
 */
export type ClickCounts = Sums & Record<Part, Tally>;
export type Sums = { human: number; bot: number; prefetch: number; visitors: number };
export type Dim = keyof typeof DIM_CAPS;
export type Pair = keyof typeof PAIR_CAPS;
export type Part = 'times' | 'seen' | 'scans' | Dim | Pair | DestinationPart;
export type DestinationPart = (typeof DESTINATION_PARTS)[number];
export type Tally = Map<string, number>;

/**
 * The most values of a dimension that a day keeps; a month keeps MONTH_FACTOR times as many. The
 * rest count under an overflow value, so that random referrers cannot grow the database without
 * bound.
 */
export const DIM_CAPS = { place: 150, agent: 60, ref: 100, utm: 50 } as const;
const MONTH_FACTOR = 10;
/** The most destinations of variants that a day keeps: enough for four changes of all of them. */
export const DESTINATION_CAP = 20;
export const DESTINATION_PARTS = ['destination', 'destinationSeen'] as const;
export const DIMS = ['place', 'agent', 'ref', 'utm'] as const;
/**
 * The most pairs that a day keeps: enough for 20 countries with 3 devices and 10 sources each. A
 * month keeps MONTH_PAIR_FACTOR times as many, because reports read the pairs of 13 months by day.
 */
export const PAIR_CAPS = { devices: 60, sources: 200 } as const;
const MONTH_PAIR_FACTOR = 2;
export const PAIRS = ['devices', 'sources'] as const;
/** The value that counts pairs beyond the cap. Their country is known from the other counts. */
export const UNLISTED_PAIRS = 'Other';
export const FIGURES = ['human', 'bot', 'prefetch', 'visitors'] as const;
/** The suffix of an hour in `times`, by kind of click. */
export const HOUR_SUFFIX = { human: '', bot: 'b', prefetch: 'p' } as const;

/** The value that counts clicks beyond the cap. It keeps the country or the device type. */
export function overflowValue(dim: Dim | Pair | DestinationPart, val: string): string {
  if (dim === 'devices' || dim === 'sources') return UNLISTED_PAIRS;
  if (dim === 'ref' || dim === 'destination' || dim === 'destinationSeen') return 'Other';
  if (dim === 'utm') return 'Other|Other|Other';
  return val.slice(0, val.indexOf('|')) + (dim === 'place' ? '||Other' : '|Other|Other');
}

const sumsBy = (of: (figure: keyof Sums) => number): Sums => ({
  human: of('human'),
  bot: of('bot'),
  prefetch: of('prefetch'),
  visitors: of('visitors'),
});

export const noSums = (): Sums => sumsBy(() => 0);
/** The sums of counts, without the rest. */
export const sumsOf = (sums: Sums): Sums => sumsBy((figure) => sums[figure]);
export const negate = (sums: Sums): Sums => sumsBy((figure) => -sums[figure]);
export const noCounts = (): ClickCounts => ({ ...noSums(), ...tallies(() => new Map()) });

export function addSums(sums: Sums, more: Sums): void {
  for (const figure of FIGURES) sums[figure] += more[figure];
}

/**
 * Adds `more` to `counts`; `factor` multiplies the caps, and `pairFactor` those of pairs. Below the
 * caps, the order in which days, windows or clicks are added does not matter.
 */
export function addCounts(
  counts: ClickCounts,
  more: ClickCounts,
  factor = 1,
  pairFactor = factor,
): void {
  addSums(counts, more);
  for (const part of ['times', 'seen', 'scans'] as const)
    for (const [time, n] of more[part]) add(counts[part], time, n);
  for (const dim of DIMS) addCapped(counts[dim], more[dim], dim, DIM_CAPS[dim] * factor);
  for (const part of DESTINATION_PARTS)
    addCapped(counts[part], more[part], part, DESTINATION_CAP * factor);
  for (const pair of PAIRS) addCapped(counts[pair], more[pair], pair, PAIR_CAPS[pair] * pairFactor);
}

export const addMonth = (month: ClickCounts, more: ClickCounts): void =>
  addCounts(month, more, MONTH_FACTOR, MONTH_PAIR_FACTOR);

/**
 * Adds a day to its month. The day's hours, visitors and scans become one entry each, under the day
 * of the month.
 */
export function addDay(month: ClickCounts, day: ClickCounts, dayOfMonth: number): void {
  const entry = (n: number): Tally => new Map(n > 0 ? [[String(dayOfMonth), n]] : []);
  addMonth(month, {
    ...day,
    times: entry(day.human),
    seen: entry(day.visitors),
    scans: entry(sumOf(day.scans)),
  });
}

/**
 * Adds to stored values and overflow values without a limit. New values are stored while there is
 * room below the cap, the most frequent first, and otherwise counted under their overflow value.
 */
function addCapped(
  tally: Tally,
  more: Tally,
  dim: Dim | Pair | DestinationPart,
  cap: number,
): void {
  if (tally.size + more.size <= cap) {
    for (const [val, n] of more) add(tally, val, n);
    return;
  }
  let freeSlots = cap;
  for (const val of tally.keys()) if (val !== overflowValue(dim, val)) freeSlots -= 1;
  for (const [val, n] of [...more].sort(([a, m], [b, o]) => o - m || (a < b ? -1 : 1))) {
    const overflow = overflowValue(dim, val);
    if (tally.has(val) || val === overflow) add(tally, val, n);
    else if (freeSlots > 0) {
      tally.set(val, n);
      freeSlots -= 1;
    } else add(tally, overflow, n);
  }
}

export const sumOf = (tally: Tally): number => [...tally.values()].reduce((sum, n) => sum + n, 0);

export const add = (tally: Tally, val: string, n: number): void =>
  void tally.set(val, (tally.get(val) ?? 0) + n);

export const tallies = (of: (part: Part) => Tally): Record<Part, Tally> => ({
  times: of('times'),
  seen: of('seen'),
  place: of('place'),
  agent: of('agent'),
  ref: of('ref'),
  utm: of('utm'),
  scans: of('scans'),
  devices: of('devices'),
  sources: of('sources'),
  destination: of('destination'),
  destinationSeen: of('destinationSeen'),
});
