import { EXACT_VISITORS } from '#contract/limits.ts';
import { add } from './counts.ts';

/*
 * The distinct visitors of a link on one day, as hashes of their visitor ids. Up to EXACT_VISITORS
 * the number is exact. Beyond it only the smallest hashes are kept, and the largest of these gives
 * an estimate (a k-minimum-values sketch) with a standard error of 1/√EXACT_VISITORS = 1.6 %.
 */

/** The hash of each visitor, and the hour of their first click of the day. */
export type Visitors = Map<number, string>;

/** 50 bits: two of 4,000 visitors share a hash about once in 10^8 days. */
const HASH_RANGE = 2 ** 50;
const RADIX = 32;
const HASH_CHARS = 10;

/**
 * Hashes a visitor id to a number below HASH_RANGE (cyrb53, with its upper half cut to 18 bits).
 * The hash need not be cryptographic, because a visitor id already is a keyed digest.
 */
export function hashVisitor(id: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < id.length; i++) {
    const char = id.charCodeAt(i);
    a = Math.imul(a ^ char, 2_654_435_761);
    b = Math.imul(b ^ char, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 2 ** 32 * (b & 0x3ffff) + (a >>> 0);
}

/**
 * Adds visitors to a stored set. Returns the new set ('' if it is empty) and the number of new
 * visitors, also by the hour of their first click. An estimated number counts in the latest of
 * these hours.
 */
export function addVisitors(
  stored: string,
  visitors: Visitors,
): { stored: string; added: number; byHour: Map<string, number> } {
  const known = decode(stored);
  const all = new Set(known);
  const byHour = new Map<string, number>();
  for (const [hash, hour] of visitors) if (!all.has(hash)) add(byHour, hour, 1);
  for (const hash of visitors.keys()) all.add(hash);
  if (all.size === known.length) return { stored, added: 0, byHour };
  const smallest = [...all].sort((a, b) => a - b).slice(0, EXACT_VISITORS + 1);
  const added = count(smallest) - count(known);
  if (added === all.size - known.length)
    return { stored: smallest.map(encode).join(''), added, byHour };
  const lastHour = String(Math.max(...[...byHour.keys()].map(Number)));
  return {
    stored: smallest.map(encode).join(''),
    added,
    byHour: new Map(added > 0 ? [[lastHour, added]] : []),
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
