import { isVariant, type LinkVariant } from '#contract/links/link-variants.ts';
import { HREF } from './gate.ts';
import { hashText } from './hash-text.ts';

/**
 * A destination of a link that divides its visitors: its id in the counts, its share in percent and
 * its href.
 */
export type Share = { i: string; p: number; u: string };

const WHOLE = 100;

/**
 * The shares of a link with these stored variants, its own destination first. Undefined if it has
 * none, or if this release cannot read them: the link then leads to its own destination. A variant
 * with the link's own destination adds nothing.
 */
export function toShares(target: string, variants: string): Share[] | undefined {
  if (variants === '') return undefined;
  const others = parseVariants(variants).filter(({ url }) => url !== target);
  const shares = others.map(({ url, weight }) => ({ i: destinationId(url), p: weight, u: url }));
  const rest = shares.reduce((left, { p }) => left - p, WHOLE);
  const all = [{ i: destinationId(target), p: rest, u: target }, ...shares];
  return isShares(all) ? all : undefined;
}

/** Empty for what this release cannot read. */
function parseVariants(text: string): LinkVariant[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isVariant) ? value : [];
  } catch {
    return [];
  }
}

/** Whether a value from KV is what `toShares` returns. */
export const isShares = (value: unknown): value is Share[] =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every(isShare) &&
  value.reduce((sum: number, { p }: Share) => sum + p, 0) === WHOLE;

function isShare(value: unknown): value is Share {
  if (typeof value !== 'object' || value === null) return false;
  const { i, p, u }: Partial<Record<keyof Share, unknown>> = value;
  return (
    typeof i === 'string' &&
    DESTINATION_ID.test(i) &&
    Number.isInteger(p) &&
    Number(p) > 0 &&
    typeof u === 'string' &&
    HREF.test(u)
  );
}

/**
 * Chooses a share by weighted rendezvous hashing: every destination gets a score from the seed and
 * its id, and the best one wins. A changed weight therefore moves visitors only to or from the
 * destinations whose weights changed, and the order of the list does not matter
 * (docs/decisions.md#d68). `seed` is a 32-bit number, uniform over the visitors.
 */
export function chooseShare(shares: readonly Share[], seed: number): Share | undefined {
  let best: Share | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const share of shares) {
    const score = -Math.log(uniform(seed, share.i)) / share.p;
    if (score >= bestScore) continue;
    best = share;
    bestScore = score;
  }
  return best;
}

/** A number between 0 and 1, both excluded: 32 bits of MurmurHash3's finalizer over seed and id. */
function uniform(seed: number, id: string): number {
  let h = seed;
  for (let at = 0; at < id.length; at++) h = Math.imul(h ^ id.charCodeAt(at), 16_777_619);
  h = Math.imul(h ^ (h >>> 16), 2_246_822_507);
  h = Math.imul(h ^ (h >>> 13), 3_266_489_909);
  return (((h ^ (h >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

const DESTINATION_ID = /^[a-z0-9]{1,8}$/;

/**
 * The id of a destination in the counts of clicks: 40 bits of a hash of its address. It depends on
 * nothing else, so the clicks of a destination stay together when it becomes the link's own, leaves
 * the list, and returns to it.
 */
export const destinationId = (href: string): string => hashText(href, 0xff).toString(36);
