import { FIGURES, tallies, type ClickCounts, type Part, type Tally } from './counts.ts';

/** In the order of the stored form. */
const PARTS: readonly Part[] = ['times', 'seen', 'place', 'agent', 'ref', 'utm', 'scans'];
/** Parts that are left out of the stored form where they and all later ones are empty. */
const OPTIONAL_PARTS = 2;
/**
 * Stored in place of `seen` where every click was by another visitor, as nearly all are of a link
 * that is clicked now and then.
 */
const SAME_AS_CLICKS = 0;

/**
 * Counts as they are stored, as JSON: the four sums, and an array for each part, in which values
 * and their counts alternate.
 */
export type StoredCounts = readonly (number | (string | number)[])[];
/** A day without clicks. */
export const NO_CLICKS: StoredCounts = [0, 0, 0, 0];

/** Makes the stored form. */
export function encodeCounts(counts: ClickCounts): StoredCounts {
  const isSameAsClicks = isEqual(counts.seen, clicksOfPeople(counts.times));
  const parts = PARTS.map((part) =>
    part === 'seen' && isSameAsClicks ? SAME_AS_CLICKS : flatten(counts[part]),
  );
  const used = parts.findLastIndex((part) => part !== SAME_AS_CLICKS && part.length > 0) + 1;
  return [
    ...FIGURES.map((figure) => counts[figure]),
    ...parts.slice(0, Math.max(used, PARTS.length - OPTIONAL_PARTS)),
  ];
}

/** Where a part is in the stored form, for SQL. */
export const indexOfPart = (part: Part): number => FIGURES.length + PARTS.indexOf(part);

/** Reads the stored form. */
export function decodeCounts(stored: StoredCounts): ClickCounts {
  const read = (part: Part): Tally => {
    const items = stored[indexOfPart(part)];
    return typeof items === 'number' ? clicksOfPeople(read('times')) : tallyOf(items);
  };
  const [human = 0, bot = 0, prefetch = 0, visitors = 0] = stored
    .slice(0, FIGURES.length)
    .map(Number);
  return { human, bot, prefetch, visitors, ...tallies(read) };
}

/** `decodeCounts` for JSON. Throws if it is none. */
export const parseCounts = (json: string): ClickCounts => decodeCounts(JSON.parse(json));

const clicksOfPeople = (times: Tally): Tally =>
  new Map([...times].filter(([time]) => /^\d+$/.test(time)));

const isEqual = (a: Tally, b: Tally): boolean =>
  a.size === b.size && [...a].every(([val, n]) => b.get(val) === n);

/** Hours and days of the month become numbers, which saves the quotes around each. */
function flatten(tally: Tally): (string | number)[] {
  const items: (string | number)[] = [];
  for (const [val, n] of tally) items.push(/^(\d|[1-9]\d)$/.test(val) ? Number(val) : val, n);
  return items;
}

/** A part in its stored form. */
export function tallyOf(items: readonly (string | number)[] = []): Tally {
  const tally: Tally = new Map();
  for (let i = 0; i + 1 < items.length; i += 2) tally.set(String(items[i]), Number(items[i + 1]));
  return tally;
}
