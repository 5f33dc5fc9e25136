/**
 * What is counted of a link in one day or month. `times` counts human clicks by the hour of the
 * day, and bots and prefetches of a day too, under the hour with a letter. In a month it counts
 * human clicks by the day of the month. `seen` counts visitors in the same way, each once a day,
 * and `scans` human clicks that came by a QR code. 'place' = country|region|city, 'agent' =
 * device|browser|os, 'ref' = referrer host, 'utm' = source|medium|campaign of the clicks that had
 * any of them.
 */
export type Counts = Sums & Record<Part, Tally>;
export type Sums = { human: number; bot: number; prefetch: number; visitors: number };
export type Dim = keyof typeof DIM_CAPS;
type Part = 'times' | 'seen' | 'scans' | Dim;
export type Tally = Map<string, number>;

/**
 * Only this many values of a dimension are kept per day, and MONTH_FACTOR times as many per month.
 * The rest count under an overflow value, so that random referrers cannot grow the database without
 * bound.
 */
export const DIM_CAPS = { place: 150, agent: 60, ref: 100, utm: 50 } as const;
const MONTH_FACTOR = 10;
export const DIMS = ['place', 'agent', 'ref', 'utm'] as const;
/**
 * In the order of the stored form. New ones come last, because the previous release reads the
 * others by their place.
 */
const PARTS: readonly Part[] = ['times', 'seen', 'place', 'agent', 'ref', 'utm', 'scans'];
/** Parts that are left out of the stored form where they and all later ones are empty. */
const OPTIONAL_PARTS = 2;
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
export const noCounts = (): Counts => ({ ...noSums(), ...tallies(() => new Map()) });

export function addSums(sums: Sums, more: Sums): void {
  for (const figure of FIGURES) sums[figure] += more[figure];
}

/**
 * Adds `more` to `counts`. The order in which days, windows or clicks are added changes nothing
 * below the caps.
 */
export function addCounts(counts: Counts, more: Counts, factor = 1): void {
  addSums(counts, more);
  for (const part of ['times', 'seen', 'scans'] as const)
    for (const [time, n] of more[part]) add(counts[part], time, n);
  for (const dim of DIMS) addCapped(counts[dim], more[dim], dim, DIM_CAPS[dim] * factor);
}

export const addMonth = (month: Counts, more: Counts): void => addCounts(month, more, MONTH_FACTOR);

/**
 * Adds a day to the counts of its month: its hours, its visitors and its scans become one entry
 * each, under the day of the month.
 */
export function addDay(month: Counts, day: Counts, dayOfMonth: number): void {
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

/**
 * Stored in place of `seen` where every click was by another visitor, as nearly all are of a link
 * that is clicked now and then.
 */
const AS_CLICKS = 0;

/**
 * Counts as they are stored, as JSON: the four sums, and an array for each part, in which values
 * and their counts alternate.
 */
export type StoredCounts = readonly (number | (string | number)[])[];
/** A day without clicks. */
export const NO_CLICKS: StoredCounts = [0, 0, 0, 0];

/** Makes the stored form. */
export function encodeCounts(counts: Counts): StoredCounts {
  const isAsClicks = isEqual(counts.seen, clicksOfPeople(counts.times));
  const parts = PARTS.map((part) =>
    part === 'seen' && isAsClicks ? AS_CLICKS : flatten(counts[part]),
  );
  const used = parts.findLastIndex((part) => part !== AS_CLICKS && part.length > 0) + 1;
  return [
    ...FIGURES.map((figure) => counts[figure]),
    ...parts.slice(0, Math.max(used, PARTS.length - OPTIONAL_PARTS)),
  ];
}

/** Where a part is in the stored form, for SQL. */
export const indexOfPart = (part: Part): number => FIGURES.length + PARTS.indexOf(part);

/** Reads the stored form, also that of earlier releases, in which hours are text. */
export function decodeCounts(stored: StoredCounts): Counts {
  const read = (part: Part): Tally => {
    const cells = stored[indexOfPart(part)];
    return typeof cells === 'number' ? clicksOfPeople(read('times')) : tallyOf(cells);
  };
  const [human = 0, bot = 0, prefetch = 0, visitors = 0] = stored
    .slice(0, FIGURES.length)
    .map(Number);
  return { human, bot, prefetch, visitors, ...tallies(read) };
}

/** `decodeCounts` for JSON. Throws if it is none. */
export const parseCounts = (json: string): Counts => decodeCounts(JSON.parse(json));

const clicksOfPeople = (times: Tally): Tally =>
  new Map([...times].filter(([time]) => /^\d+$/.test(time)));

const isEqual = (a: Tally, b: Tally): boolean =>
  a.size === b.size && [...a].every(([val, n]) => b.get(val) === n);

/** Hours and days of the month become numbers, which saves the quotes around each. */
function flatten(tally: Tally): (string | number)[] {
  const cells: (string | number)[] = [];
  for (const [val, n] of tally) cells.push(/^(\d|[1-9]\d)$/.test(val) ? Number(val) : val, n);
  return cells;
}

/** A part in its stored form. */
export function tallyOf(cells: readonly (string | number)[] = []): Tally {
  const tally: Tally = new Map();
  for (let i = 0; i + 1 < cells.length; i += 2) tally.set(String(cells[i]), Number(cells[i + 1]));
  return tally;
}

const tallies = (of: (part: Part) => Tally): Record<Part, Tally> => ({
  times: of('times'),
  seen: of('seen'),
  place: of('place'),
  agent: of('agent'),
  ref: of('ref'),
  utm: of('utm'),
  scans: of('scans'),
});
