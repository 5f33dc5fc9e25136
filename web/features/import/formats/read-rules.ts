import { RULES_MAX, VARIANTS_MAX } from '#contract/limits.ts';
import { isVariant, ownShare, type LinkVariant } from '#contract/links/link-variants.ts';
import {
  REDIRECT_STATUSES,
  type LinkRule,
  type RedirectStatus,
  type RuleConditions,
} from '#contract/links/rule-conditions.ts';
import { normalizeName } from './columns.ts';
import { isObject } from './read-json.ts';
import { textOf } from './read-values.ts';

/** Columns in which other services have the destination of a device. */
const DEVICES: Readonly<Record<string, NonNullable<RuleConditions['device']>>> = {
  ios: ['ios'],
  iosurl: ['ios'],
  apple: ['ios'],
  iphoneurl: ['ios'],
  ipadurl: ['ios'],
  android: ['android'],
  androidurl: ['android'],
  google: ['android'],
  desktopurl: ['desktop'],
};
const ADDRESS = /^https?:\/\/\S+$/i;
/** Dub and Sink have an object with countries, which is read as `geo.US`. */
const COUNTRY = /^geo(?:targeting)?\.([a-z]{2})$/i;
const COUNTRIES = /^geo(?:targeting)?$/i;

/**
 * Returns the rules for a column in which another service has the destination of a device or a
 * country. Returns none for a column that no rule can express.
 */
export function rulesOfColumn(name: string, value: unknown): LinkRule[] {
  const text = textOf(value);
  const device = DEVICES[normalizeName(name)];
  if (device !== undefined) return ruleTo(text, { device });
  const country = COUNTRY.exec(name)?.[1];
  if (country !== undefined) return ruleTo(text, { country: [country.toUpperCase()] });
  if (!COUNTRIES.test(name)) return [];
  const countries = parse(text);
  const entries = isObject(countries) ? Object.entries(countries) : [];
  const rules = entries.flatMap(([code, to]) => rulesOfColumn(`geo.${code}`, to));
  return rules.length === entries.length ? rules : [];
}

const ruleTo = (to: string, conditions: RuleConditions): LinkRule[] =>
  ADDRESS.test(to) ? [{ if: conditions, to }] : [];

/** Reads rules as Hop exports them: a list, or its JSON in a table. Undefined if they are none. */
export function rulesOf(value: unknown): LinkRule[] | undefined {
  const list: unknown = Array.isArray(value) ? value : parse(textOf(value));
  return Array.isArray(list) && list.length > 0 && list.length <= RULES_MAX && list.every(isRule)
    ? list
    : undefined;
}

/** Reads variants as Hop exports them. Undefined if they are none. */
export function variantsOf(value: unknown): LinkVariant[] | undefined {
  const list: unknown = Array.isArray(value) ? value : parse(textOf(value));
  return Array.isArray(list) &&
    list.length > 0 &&
    list.length <= VARIANTS_MAX &&
    list.every(isVariant) &&
    ownShare(list) >= 1
    ? list
    : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRule = (value: unknown): value is LinkRule =>
  isObject(value) && typeof value['to'] === 'string' && typeof value['if'] === 'object';

export const redirectStatusOf = (value: unknown): RedirectStatus | undefined =>
  REDIRECT_STATUSES.find((status) => String(status) === textOf(value) && status !== 302);
