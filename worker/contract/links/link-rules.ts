import * as z from 'zod/mini';
import { atMost, storable } from '#contract/common-schemas.ts';
import { formatNumber } from '#contract/language.ts';
import {
  CLICK_LIMIT_MAX,
  CONDITION_VALUES_MAX,
  LINK_PASSWORD_MAX,
  RULES_CHARS_MAX,
  RULES_MAX,
  TARGET_MAX,
  VARIANTS_MAX,
} from '#contract/limits.ts';
import { ownShare } from './link-variants.ts';
import { CONTINENTS, DEVICES, REDIRECT_STATUSES, WEEKDAYS } from './rule-conditions.ts';
import { isTimeZone } from './wall-clock.ts';

/**
 * The schemas of what decides about a redirect: rules, variants, fallback, redirect status,
 * password.
 */

/** A list of at least one allowed value. */
const allowed = <Value extends z.ZodMiniType>(name: string, value: Value) =>
  z
    .array(value)
    .check(
      z.minLength(1, `The condition “${name}” needs at least one value.`),
      atMost(`The condition “${name}”`, CONDITION_VALUES_MAX, 'value'),
    );

const country = z
  .string()
  .check(
    z.toUpperCase(),
    z.regex(/^[A-Z]{2}$/, 'A country is a code of two letters, such as BR (ISO 3166-1).'),
  );
const language = z
  .string()
  .check(
    z.toLowerCase(),
    z.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/, 'A language is a tag such as pt or pt-BR.'),
  );
/** Query texts are compared after decoding. */
const query = z
  .string()
  .check(
    z.regex(
      new RegExp(String.raw`^[^=&#\p{Cc}\p{Cs}]{1,60}(?:=[^\p{Cc}\p{Cs}]{0,200})?$`, 'u'),
      'A query parameter is a name such as ref, or a name and a value such as ref=mail.',
    ),
  );
const clockTime = z
  .string()
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of day is written like 09:30.'));
const zone = z
  .string()
  .check(
    z.maxLength(40),
    z.refine(isTimeZone, 'A time zone is a name such as Europe/Berlin or UTC.'),
  );

export const timeWindow = z.object({
  zone,
  days: z.optional(allowed('days', z.enum(WEEKDAYS))),
  from: clockTime,
  to: clockTime,
});

export const ruleConditions = z
  .object({
    device: z.optional(allowed('device', z.enum(DEVICES))),
    country: z.optional(allowed('country', country)),
    continent: z.optional(allowed('continent', z.enum(CONTINENTS))),
    language: z.optional(allowed('language', language)),
    query: z.optional(allowed('query', query)),
    time: z.optional(allowed('time', timeWindow)),
  })
  .check(
    z.refine(
      (conditions) => Object.values(conditions).some((values) => values !== undefined),
      'A rule needs at least one condition.',
    ),
  );

const url = z.string().check(atMost('A destination', TARGET_MAX));

export const linkRule = z.object({ if: ruleConditions, to: url });

export const linkRules = z.array(linkRule).check(
  atMost('A link', RULES_MAX, 'rule'),
  z.refine(
    (rules) => JSON.stringify(rules).length <= RULES_CHARS_MAX,
    `The rules of a link can have at most ${formatNumber(RULES_CHARS_MAX)} characters together.`,
  ),
);

const WEIGHT = 'The share of a variant is a whole number of percent, from 1 to 99.';
export const linkVariant = z.object({
  url,
  weight: z.int(WEIGHT).check(z.minimum(1, WEIGHT), z.maximum(99, WEIGHT)),
});

export const linkVariants = z.array(linkVariant).check(
  atMost('A link', VARIANTS_MAX, 'variant'),
  z.refine(
    (variants) => ownShare(variants) >= 1,
    'The shares of the variants can add up to at most 99%, because the destination of the link needs the rest.',
  ),
  z.refine(
    (variants) => new Set(variants.map((variant) => variant.url)).size === variants.length,
    'Two variants have the same destination. Add their shares together.',
  ),
);

/** The destination after the end of a link. '' for none. */
export const fallbackAddress = url;

export const statusOfRedirect = z.literal(
  REDIRECT_STATUSES,
  'The redirect status must be 302, 301, 307 or 308.',
);

const CLICK_LIMIT = `A click limit is a whole number from 1 to ${formatNumber(CLICK_LIMIT_MAX)}.`;
export const limitOfClicks = z
  .int(CLICK_LIMIT)
  .check(z.minimum(1, CLICK_LIMIT), z.maximum(CLICK_LIMIT_MAX, CLICK_LIMIT));

/** Visitors enter it, so spaces count and composed and decomposed letters are the same. */
export const linkPassword = z.string().check(
  z.overwrite((text: string) => text.normalize('NFC')),
  atMost('The password', LINK_PASSWORD_MAX),
  storable('The password'),
);
