/**
 * What is counted of a link in one day or month. `times` counts human clicks by the hour of the
 * day, and bots and prefetches of a day too, under the hour with a letter. In a month it counts
 * human clicks by the day of the month. `seen` counts visitors in the same way, each once a day,
 * and `scans` human clicks that came by a QR code. 'place' = country|region|city, 'agent' =
 * device|browser|os, 'ref' = referrer host, 'utm' = source|medium|campaign of the clicks that had
 * any of them.
 */
export type ClickCounts = Sums & Record<Part, Tally>;
export type Sums = { human: number; bot: number; prefetch: number; visitors: number };
export type Dim = keyof typeof DIM_CAPS;
export type Part = 'times' | 'seen' | 'scans' | Dim;
export type Tally = Map<string, number>;

/**
 * Only this many values of a dimension are kept per day, and MONTH_FACTOR times as many per month.
 * The rest count under an overflow value, so that random referrers cannot grow the database without
 * bound.
 */
export const DIM_CAPS = { place: 150, agent: 60, ref: 100, utm: 50 } as const;
const MONTH_FACTOR = 10;
export const DIMS = ['place', 'agent', 'ref', 'utm'] as const;
export const FIGURES = ['human', 'bot', 'prefetch', 'visitors'] as const;

/**
 * The value under which clicks beyond the cap are counted. It keeps the country or the device type.
 */
export function overflowValue(dim: Dim, val: string): string {
  if (dim === 'ref') return 'Other';
  if (dim === 'utm') return 'Other|Other|Other';
  return val.slice(0, val.indexOf('|')) + (dim === 'place' ? '||Other' : '|Other|Other');
}

export const noSums = (): Sums => ({ human: 0, bot: 0, prefetch: 0, visitors: 0 });
export const noCounts = (): ClickCounts => ({ ...noSums(), ...tallies(() => new Map()) });

export const sumsOf = ({ human, bot, prefetch, visitors }: Sums): Sums => ({
  human,
  bot,
  prefetch,
  visitors,
});

export const negative = ({ human, bot, prefetch, visitors }: Sums): Sums => ({
  human: -human,
  bot: -bot,
  prefetch: -prefetch,
  visitors: -visitors,
});

export function addSums(sums: Sums, more: Sums): void {
  for (const figure of FIGURES) sums[figure] += more[figure];
}

/**
 * Adds `more` to `counts`. The order in which days, windows or clicks are added changes nothing
 * below the caps.
 */
export function addCounts(counts: ClickCounts, more: ClickCounts, factor = 1): void {
  addSums(counts, more);
  for (const part of ['times', 'seen', 'scans'] as const)
    for (const [time, n] of more[part]) add(counts[part], time, n);
  for (const dim of DIMS) addCapped(counts[dim], more[dim], dim, DIM_CAPS[dim] * factor);
}

export const addMonth = (month: ClickCounts, more: ClickCounts): void =>
  addCounts(month, more, MONTH_FACTOR);

/**
 * Adds a day to the counts of its month: its hours, its visitors and its scans become one entry
 * each, under the day of the month.
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
 * Stored values and overflow values are always added to. New values are stored while there is room
 * below the cap, the most frequent first, and otherwise counted under their overflow value.
 */
function addCapped(tally: Tally, more: Tally, dim: Dim, cap: number): void {
  if (tally.size + more.size <= cap) {
    for (const [val, n] of more) add(tally, val, n);
    return;
  }
  let room = cap;
  for (const val of tally.keys()) if (val !== overflowValue(dim, val)) room -= 1;
  for (const [val, n] of [...more].sort(([a, m], [b, o]) => o - m || (a < b ? -1 : 1))) {
    const overflow = overflowValue(dim, val);
    if (tally.has(val) || val === overflow) add(tally, val, n);
    else if (room > 0) {
      tally.set(val, n);
      room -= 1;
    } else add(tally, overflow, n);
  }
}

export const sumOf = (tally: Tally): number => [...tally.values()].reduce((sum, n) => sum + n, 0);

export const add = (tally: Tally, val: string, n: number): void =>
  void tally.set(val, (tally.get(val) ?? 0) + n);

/** What an hour's bots and prefetches are counted under in `times`. */
export const HOUR_SUFFIX = { human: '', bot: 'b', prefetch: 'p' } as const;

/** A tally for each part. */
export const tallies = (of: (part: Part) => Tally): Record<Part, Tally> => ({
  times: of('times'),
  seen: of('seen'),
  place: of('place'),
  agent: of('agent'),
  ref: of('ref'),
  utm: of('utm'),
  scans: of('scans'),
});
