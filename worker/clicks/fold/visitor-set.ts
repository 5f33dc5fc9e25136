import { EXACT_VISITORS } from '#contract/limits.ts';
import { hashText } from '#worker/redirect/hash-text.ts';
import { add, type Tally } from './counts.ts';

/*
 * The distinct visitors of a link on one day, as hashes of their visitor ids. Up to EXACT_VISITORS
 * the number is exact. Beyond it only the smallest hashes are kept, and the largest of these gives
 * an estimate (a k-minimum-values sketch) with a standard error of 1/√EXACT_VISITORS = 1.6 %.
 */

/**
 * The hash of each visitor, with the hour of their first click of the day and the destination that
 * variants chose for it; '' if they chose none.
 */
export type Visitors = Map<number, FirstClick>;
/** `at` in ms since 1970. */
export type FirstClick = { at: number; hour: number; destination: string };

/** 50 bits: two of 4,000 visitors share a hash about once in 10^8 days. */
const HASH_RANGE = 2 ** 50;
const RADIX = 32;
const HASH_CHARS = 10;

/**
 * Hashes a visitor id to a number below HASH_RANGE. The hash need not be cryptographic, because a
 * visitor id already is a keyed digest.
 */
export const hashVisitor = (id: string): number => hashText(id, 0x3ffff);

/**
 * Adds visitors to a stored set. Returns the new set ('' if it is empty) and the number of new
 * visitors, also by the hour and the destination of their first click. An estimated number counts
 * in the latest of these hours, and at the destinations in proportion.
 */
export function addVisitors(
  stored: string,
  visitors: Visitors,
): { stored: string; added: number; byHour: Tally; byDestination: Tally } {
  const known = decode(stored);
  const all = new Set(known);
  const byHour: Tally = new Map();
  const byDestination: Tally = new Map();
  let fresh = 0;
  for (const [hash, { hour, destination }] of visitors) {
    if (all.has(hash)) continue;
    fresh += 1;
    add(byHour, String(hour), 1);
    if (destination !== '') add(byDestination, destination, 1);
  }
  for (const hash of visitors.keys()) all.add(hash);
  if (all.size === known.length) return { stored, added: 0, byHour, byDestination };
  const smallest = [...all].sort((a, b) => a - b).slice(0, EXACT_VISITORS + 1);
  const added = count(smallest) - count(known);
  if (added === fresh)
    return { stored: smallest.map(encode).join(''), added, byHour, byDestination };
  const lastHour = String(Math.max(...[...byHour.keys()].map(Number)));
  return {
    stored: smallest.map(encode).join(''),
    added,
    byHour: new Map(added > 0 ? [[lastHour, added]] : []),
    byDestination: new Map(
      [...byDestination]
        .map(([destination, n]): [string, number] => [destination, Math.round((n * added) / fresh)])
        .filter(([, n]) => n > 0),
    ),
  };
}

/** The exact or estimated number of visitors of a sorted set. */
function count(smallest: readonly number[]): number {
  const largest = smallest[EXACT_VISITORS];
  return largest === undefined
    ? smallest.length
    : Math.max(smallest.length, Math.round((EXACT_VISITORS * HASH_RANGE) / largest));
}

const encode = (hash: number): string => hash.toString(RADIX).padStart(HASH_CHARS, '0');

function decode(stored: string): number[] {
  const hashes: number[] = [];
  for (let i = 0; i < stored.length; i += HASH_CHARS)
    hashes.push(Number.parseInt(stored.slice(i, i + HASH_CHARS), RADIX));
  return hashes;
}
