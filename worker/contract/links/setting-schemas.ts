import * as z from 'zod/mini';
import { atMost, storable, oneLine, rfc3339 } from '#contract/common-schemas.ts';
import { LINK_NOTE_MAX, LINK_TITLE_MAX } from '#contract/limits.ts';
import * as rule from './link-rules.ts';
import { ARCHIVED_COPY, WATCH_MODES } from './watch.ts';

/**
 * The schemas of each kind of setting (link-settings.ts): of the value in a request to /api, to
 * /api/v1, in a row of an import, and in a response of /api/v1.
 */

/** The last millisecond of the year 9999, the last year that RFC 3339 can express. */
const LAST_TIME = 253_402_300_799_999;

/**
 * The schemas of a time. `name` is its name in error messages. Pages may send a time in RFC 3339 or
 * in milliseconds since 1970, which is also the result.
 */
export const time = (name: string) => ({
  kind: 'time' as const,
  schemas: {
    page: z.pipe(
      z.transform((given: unknown) =>
        typeof given === 'string' && rfc3339.safeParse(given).success ? Date.parse(given) : given,
      ),
      z
        .int(`The ${name} must be a time like 2027-01-31T12:00:00Z, or in milliseconds since 1970.`)
        .check(z.maximum(LAST_TIME, `This ${name} is too far in the future.`)),
    ),
    v1: z.nullable(rfc3339),
    import: rfc3339,
  },
  shown: z.nullable(z.iso.datetime()),
});

/** The schemas of a setting that is one value everywhere. */
export const uniform = <Kind extends string, Schema extends z.ZodMiniType>(
  kind: Kind,
  schema: Schema,
) => ({ kind, schemas: { page: schema, v1: schema, import: schema }, shown: schema });

/** The schemas of a setting that null removes in /api/v1. */
const removable = <Kind extends string, Schema extends z.ZodMiniType, Shown extends z.ZodMiniType>(
  kind: Kind,
  schema: Schema,
  shown: Shown,
) => ({ kind, schemas: { page: schema, v1: z.nullable(schema), import: schema }, shown });

export const flag = () => uniform('flag', z.boolean());

/**
 * The schemas of a text, which null clears in /api/v1. An import cuts it instead of rejecting it,
 * because the user cannot always change it at the source.
 */
const text = <Checked extends z.ZodMiniType>(checked: Checked, cut: z.ZodMiniString<string>) => ({
  kind: 'text' as const,
  schemas: { page: checked, v1: z.nullable(checked), import: cut },
  shown: z.string(),
});

const SURROGATE = new RegExp(String.raw`\p{Cs}`, 'gu');
const SPACE = new RegExp(String.raw`[\s\p{Cc}]+`, 'gu');
const CONTROL_IN_LINES = new RegExp(String.raw`[^\P{Cc}\n\t]`, 'gu');
const UNSTORABLE_IN_LINES = new RegExp(String.raw`[^\P{Cc}\n\t]|\p{Cs}`, 'u');

/** Cuts a text to `max` UTF-16 units, without splitting a character. */
const cutTo = (max: number) => (value: string) =>
  value.slice(0, max).replaceAll(SURROGATE, '').trim();

export const title = text(
  oneLine('The title', LINK_TITLE_MAX),
  z.string().check(
    z.overwrite((value: string) => value.normalize('NFC').replaceAll(SPACE, ' ').trim()),
    z.overwrite(cutTo(LINK_TITLE_MAX)),
  ),
);

export const note = text(
  z.string().check(
    z.overwrite((value: string) => value.normalize('NFC').replaceAll('\r\n', '\n').trim()),
    atMost('The note', LINK_NOTE_MAX),
    storable('The note', UNSTORABLE_IN_LINES),
  ),
  z.string().check(
    z.overwrite((value: string) =>
      value.normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll(CONTROL_IN_LINES, '').trim(),
    ),
    z.overwrite(cutTo(LINK_NOTE_MAX)),
  ),
);

/** The link policy checks the address. */
export const fallbackUrl = removable('url', rule.fallbackAddress, z.string());

export const redirectStatus = uniform('status', rule.statusOfRedirect);

export const rules = uniform('rules', rule.linkRules);

export const variants = uniform('variants', rule.linkVariants);

export const watchMode = z.enum(WATCH_MODES, `watch must be one of ${WATCH_MODES.join(', ')}.`);

export const watch = uniform('watch', watchMode);

/** An address or the archived copy. */
const watchTarget = z.union([z.literal(ARCHIVED_COPY), rule.fallbackAddress]);

export const watchFallback = removable('fallback', watchTarget, z.string());

export const clickLimit = removable('count', rule.limitOfClicks, z.nullable(rule.limitOfClicks));

/** '' removes the password, too. */
export const password = removable('password', rule.linkPassword, z.boolean());
