import * as z from 'zod/mini';
import { SEARCH_MAX } from './limits.ts';

/** Schemas that several requests share. */

/**
 * The schema of a text of one line: in NFC, trimmed, with single spaces. It rejects `characters`,
 * by default control characters and unpaired surrogates.
 */
export const oneLine = (
  max: number,
  tooLong: string,
  invalid: string,
  characters = new RegExp(String.raw`[\p{Cc}\p{Cs}]`, 'u'),
) =>
  z.string().check(
    z.overwrite((text: string) => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()),
    z.maxLength(max, tooLong),
    z.refine((text: string) => !characters.test(text), invalid),
  );

/**
 * The schema of a name by which a member recognizes a thing. Format characters are rejected too,
 * because they make different names look alike.
 */
export const uniqueName = (thing: string, max: number, empty: string) =>
  oneLine(
    max,
    `The name of a ${thing} can have at most ${max} characters.`,
    `The name of a ${thing} cannot contain control characters.`,
    new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Cs}]`, 'u'),
  ).check(z.minLength(1, empty));

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

export const searchText = z
  .string()
  .check(z.maxLength(SEARCH_MAX, `A search can have at most ${SEARCH_MAX} characters.`));

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
