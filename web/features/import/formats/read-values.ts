import { isForwardable, type ForwardParams } from '#contract/links/forward-params.ts';
import {
  FORWARDED_NAMES_MAX,
  LINK_PASSWORD_MAX,
  TAG_NAME_MAX,
  TAGS_PER_LINK_MAX,
} from '#contract/limits.ts';

/** Cells without a value. MySQL writes NULL and \N, spreadsheets and people write the others. */
const NOTHING = /^(?:|null|\\n|none|never|no|n\/a|-|0|0000-00-00 00:00:00)$/i;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** The first moment of the year 10000 in ms, which RFC 3339 cannot express. */
const YEAR_10000 = 253_402_300_800_000;

/** Returns a value as trimmed text; empty if it is neither text nor a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** Returns a value as one line without control characters, cut to `max`. */
export const lineOf = (value: unknown, max: number): string =>
  cut(
    textOf(value)
      .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .normalize('NFC')
      .trim(),
    max,
  );

/** Returns a value as text with line breaks, cut to `max`. */
export const linesOf = (value: unknown, max: number): string =>
  cut(
    textOf(value)
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
      .normalize('NFC')
      .trim(),
    max,
  );

const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .replace(/\p{Cs}$/u, '')
        .trimEnd()}…`;

/**
 * Returns the names of tags from a list of names, a list of objects with a name, or a single text.
 * Removes duplicates and keeps at most as many tags as Hop stores.
 */
export function tagsOf(value: unknown, separator = /[,;|]/, max = TAGS_PER_LINK_MAX): string[] {
  const byName = new Map<string, string>();
  for (const entry of entriesOf(value, separator)) {
    const name = lineOf(
      typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : entry,
      TAG_NAME_MAX,
    );
    const clean = name
      .replaceAll(/[\p{Cf},]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (clean !== '' && !byName.has(clean.toLowerCase())) byName.set(clean.toLowerCase(), clean);
  }
  return [...byName.values()].slice(0, max);
}

function entriesOf(value: unknown, separator: RegExp): unknown[] {
  if (Array.isArray(value)) return value;
  const text = textOf(value);
  if (text.startsWith('[') && text.endsWith(']'))
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list;
    } catch {
      // It is not a JSON list, so it is read as text.
    }
  return text.split(separator);
}

/** The host of a short link that is written without `https://`. A code such as `v1.2` is no host. */
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?=\/)/u;

/**
 * Returns the code in a short link or the code itself. Services write `https://host/code`,
 * `host/code`, `/code/` or `code`.
 */
export function linkCodeOf(value: unknown): string {
  const text = Array.isArray(value) ? textOf(value[0]) : textOf(value);
  const [first = ''] = text.slice(0, 2000).split(/[\s,;|]/);
  const path = first
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '//')
    .replace(/^\/\/[^/?#]*/, '')
    .replace(HOST, '')
    .replace(/[?#].*$/, '')
    .replaceAll(/^\/+|\/+$/g, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the code in a column with short links. Some services write only the code there: a text
 * whose first part is no host.
 */
export function codeOfShortLink(value: unknown): string {
  const text = textOf(value);
  return /^(?:https?:\/\/|\/\/|[^/]*[.:])/i.test(text)
    ? linkCodeOf(`//${shortLinkOf(text).replace(/^\/+/, '')}`)
    : linkCodeOf(text);
}

/** Returns the codes in a list, or in a text with spaces between them. */
export const codesOf = (value: unknown): string[] =>
  [...new Set(entriesOf(value, /\s+/).map(textOf))].filter((code) => code !== '');

/** Returns the host of a short link or a domain; '' for a text that does not begin with a host. */
export function hostOfLink(value: unknown): string {
  const host = /^[^/?#:\s]+/.exec(shortLinkOf(value))?.[0] ?? '';
  return HOST.test(`${host}/`) && host.length <= 253 ? host.toLowerCase() : '';
}

/** Removes `https://`, because services write short links either way. */
export const shortLinkOf = (value: unknown): string => textOf(value).replace(/^https?:\/\//i, '');

/**
 * Converts a time to RFC 3339 in UTC; null for no time, undefined if it is unreadable. Times
 * without a zone count as UTC. Dates such as 03/04/2026 are ambiguous and therefore unreadable,
 * unless one number is above 12; with dots, the day comes first.
 */
export function timeOf(value: unknown): string | null | undefined {
  if (value === null || value === undefined || value === false) return null;
  const text = textOf(value);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (NOTHING.test(text)) return null;
  const ms = /^\d{9,13}$/.test(text)
    ? unixTime(Number(text))
    : (isoTime(text) ?? writtenTime(text));
  return ms !== undefined && ms >= 0 && ms < YEAR_10000 ? new Date(ms).toISOString() : undefined;
}

/** Seconds have 9 or 10 digits since 1973, milliseconds 12 or 13. */
const unixTime = (count: number): number => (count < 100_000_000_000 ? count * 1000 : count);

function isoTime(text: string): number | undefined {
  const ordered = text
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})/, (_, d: string, m: string, y: string) =>
      dateOf(y, m, d),
    )
    .replace(/^(\d{1,2})\/(\d{1,2})\/(\d{4})/, (whole, a: string, b: string, y: string) => {
      if (Number(b) > 12 || a === b) return dateOf(y, a, b);
      return Number(a) > 12 ? dateOf(y, b, a) : whole;
    });
  const [, year, month, day, time = '00:00', zone = 'Z'] = ISO.exec(ordered) ?? [];
  if (year === undefined) return undefined;
  // Date.parse reads February 30 as March 2.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return undefined;
  const offset = /^[+-]/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
    : 'Z';
  const ms = Date.parse(`${year}-${month}-${day}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

const dateOf = (year: string, month: string, day: string): string =>
  [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');

/** Parses times such as "Jan 5, 2026 10:00 AM" or "Mon, 05 Jan 2026 10:00:00 GMT". */
function writtenTime(text: string): number | undefined {
  if (!MONTH.test(text) || !/\b\d{4}\b/.test(text)) return undefined;
  const hasZone = /(?:\b(?:gmt|utc|z)|[+-]\d{2}:?\d{2})\)?$/i.test(text);
  const ms = Date.parse(hasZone ? text : `${text} UTC`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns a number of clicks, or undefined if there is none. Spreadsheets write 1,234. */
export function countOf(value: unknown): number | undefined {
  const text = textOf(value).replaceAll(/(?<=\d)[,\u00A0 ](?=\d{3}(?!\d))/g, '');
  const count = Number(text);
  return text !== '' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export const isYes = (value: unknown): boolean =>
  value === true || /^(?:true|yes|y|1|archived)$/i.test(textOf(value));

/**
 * Returns the query parameters that a link forwards: their names, or all. Some services only say
 * whether they forward the query.
 */
export function forwardOf(value: unknown): ForwardParams | undefined {
  const text = textOf(value);
  if (value === true || /^(?:all|true)$/i.test(text)) return 'all';
  if (!Array.isArray(value) && (NOTHING.test(text) || /^false$/i.test(text))) return undefined;
  const names = entriesOf(value, /,/).map(textOf).filter(isForwardable);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, FORWARDED_NAMES_MAX);
}

/** A hash or the answer to whether there is a password. */
const NO_PASSWORD = /^(?:\$[\w-]+\$|\{\w+\}|[\da-f]{32,}$|(?:1|true|t|yes|y|on|\*+|•+)$)/i;

/** A password as visitors enter it; undefined for a hash, which no other service can use. */
export function passwordOf(value: unknown): string | undefined {
  const text = textOf(value);
  const isPassword =
    text.length <= LINK_PASSWORD_MAX && !NOTHING.test(text) && !NO_PASSWORD.test(text);
  return isPassword ? text : undefined;
}
