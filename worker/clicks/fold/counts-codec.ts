import { sql, type SQL } from 'drizzle-orm';
import {
  FIGURES,
  PAIRS,
  tallies,
  type ClickCounts,
  type Part,
  type Sums,
  type Tally,
} from './counts.ts';
import { decodePairs, encodePairs } from './pairs-codec.ts';

/** The parts in the order of the stored form. */
const PARTS = [
  'times',
  'seen',
  'place',
  'agent',
  'ref',
  'utm',
  'scans',
  'devices',
  'sources',
  'destination',
  'destinationSeen',
] as const satisfies readonly Part[];
/** The number of parts at the end that the stored form leaves out while they are empty. */
const OPTIONAL_PARTS = 6;
/**
 * Stored in place of `seen` if every click came from a different visitor, which is common for links
 * with few clicks.
 */
const SAME_AS_CLICKS = 0;

/**
 * Counts in their stored form, as JSON: the four sums, then an array for each part, in which values
 * and their counts alternate. Pairs have positions in place of values (pairs-codec.ts).
 */
export type StoredCounts = readonly (number | (string | number)[])[];
export const NO_CLICKS: StoredCounts = [0, 0, 0, 0];

export function encodeCounts(counts: ClickCounts): StoredCounts {
  const isSameAsClicks = isEqual(counts.seen, clicksOfPeople(counts.times));
  const parts = PARTS.map((part) => {
    if (part === 'devices' || part === 'sources') return encodePairs(part, counts);
    return part === 'seen' && isSameAsClicks ? SAME_AS_CLICKS : flatten(counts[part]);
  });
  const used = parts.findLastIndex((part) => part !== SAME_AS_CLICKS && part.length > 0) + 1;
  return [
    ...FIGURES.map((figure) => counts[figure]),
    ...parts.slice(0, Math.max(used, PARTS.length - OPTIONAL_PARTS)),
  ];
}

/** The index of a part in the stored form, for SQL. */
export const indexOfPart = (part: Part): number => FIGURES.length + PARTS.indexOf(part);

/** A part of stored counts in SQL, as JSON. */
export const storedPart = (part: Part, counts = 'counts'): SQL =>
  sql.raw(`${counts} -> ${indexOfPart(part)}`);

/** A figure of stored counts in SQL. */
export const storedFigure = (figure: keyof Sums, counts = 'counts'): string =>
  `${counts} ->> ${FIGURES.indexOf(figure)}`;

/** Stored counts in SQL, reduced to their figures. */
export const storedFigures = (): SQL =>
  sql.raw(`json_array(${FIGURES.map((figure) => storedFigure(figure)).join(', ')})`);

/** A column for each figure in SQL: `sum(human) as human, sum(bot) as bot, …`. */
export const figureColumns = (valueOf: (figure: keyof Sums) => string): SQL =>
  sql.raw(FIGURES.map((figure) => `${valueOf(figure)} as ${figure}`).join(', '));

export function decodeCounts(stored: StoredCounts): ClickCounts {
  const read = (part: Part): Tally => {
    if (part === 'devices' || part === 'sources') return new Map();
    const items = stored[indexOfPart(part)];
    return typeof items === 'number' ? clicksOfPeople(read('times')) : tallyOf(items);
  };
  const [human = 0, bot = 0, prefetch = 0, visitors = 0] = stored
    .slice(0, FIGURES.length)
    .map(Number);
  const counts = { human, bot, prefetch, visitors, ...tallies(read) };
  for (const pair of PAIRS) {
    const items = stored[indexOfPart(pair)];
    counts[pair] = decodePairs(pair, typeof items === 'object' ? items : [], counts);
  }
  return counts;
}

/** `decodeCounts` for JSON text. Throws if the text is not JSON. */
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

/** Decodes one part of the stored form. */
export function tallyOf(items: readonly (string | number)[] = []): Tally {
  const tally: Tally = new Map();
  for (let i = 0; i + 1 < items.length; i += 2) tally.set(String(items[i]), Number(items[i + 1]));
  return tally;
}
