import * as z from 'zod/mini';
import { limitMessage } from './limit-message.ts';
import { SEARCH_MAX } from './limits.ts';

/** Schemas that several requests share. */

/** The check of the most characters of a text, or of the most items of a list. */
export const atMost = (what: string, max: number, noun?: string) =>
  z.maxLength(max, limitMessage(what, max, noun));

/** The checks of a list with at least one item. */
export const oneTo = (what: string, max: number, noun = 'item') =>
  [z.minLength(1, `${what} must have at least one ${noun}.`), atMost(what, max, noun)] as const;

export const CURSOR_MESSAGE = 'cursor must be the nextCursor of the page before.';

const UNSTORABLE = new RegExp(String.raw`[\p{Cc}\p{Cs}]`, 'u');

/** The check that a text has none of `characters`: control characters and unpaired surrogates. */
export const storable = (
  what: string,
  characters = UNSTORABLE,
  message = `${what} contains control characters or broken text.`,
) => z.refine<string>((text) => !characters.test(text), message);

/** The schema of a text of one line: in NFC, trimmed, with single spaces. */
export const oneLine = (
  what: string,
  max: number,
  ...not: [characters?: RegExp, message?: string]
) =>
  z.string().check(
    z.overwrite((text: string) => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()),
    atMost(what, max),
    storable(what, ...not),
  );

const UNSHOWN = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs}]`, 'u');

/**
 * The schema of a name by which a member recognizes a thing. Format characters are rejected too,
 * because they make different names look alike.
 */
export const uniqueName = (thing: string, max: number, empty: string) =>
  oneLine(`The name of a ${thing}`, max, UNSHOWN).check(z.minLength(1, empty));

/** The schema of an optional day. */
export const dayParam = (name: string) =>
  z.optional(z.iso.date(`${name} must be a date like 2027-01-31.`));

export const rfc3339 = z.iso.datetime({
  offset: true,
  error: ({ path, input }) => {
    const name = String(path?.at(-1) ?? 'The time');
    // In a query, an unencoded plus sign is a space.
    const isDecoded = typeof input === 'string' && / \d\d:\d\d$/.test(input);
    const advice = isDecoded ? ' Encode its plus sign as %2B.' : '';
    return `${name} must be a time like 2027-01-31T12:00:00Z.${advice}`;
  },
});

/** The schema of a query parameter with a whole number, in decimal digits. */
export function wholeNumber(name: string, min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const text = `${name} must be a whole number ${range}.`;
  return z.pipe(
    z.transform((given) =>
      typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : Number.NaN,
    ),
    z.int(text).check(z.minimum(min, text), z.maximum(max, text)),
  );
}

export const searchText = z.string().check(atMost('A search', SEARCH_MAX));

/** The filters by the name of a tag and by the host of the target. */
export const tagFilter = z.optional(z.string().check(z.maxLength(100)));
export const hostFilter = z.optional(z.string().check(z.maxLength(253)));

/** The check that a change has at least one member. */
export const changesSomething = (message: string) =>
  z.refine<object>((change) => Object.values(change).some((value) => value !== undefined), message);

/** The schema of the id of an import, which its client makes. */
export const importId = z
  .string()
  .check(
    z.regex(
      /^[\w-]{16,64}$/,
      'The id of an import must have 16 to 64 letters, digits, hyphens or underscores.',
    ),
  );
