import { isForwardable, type ForwardParams } from '#contract/forward-params.ts';
import { FORWARDED_NAMES_MAX, TAG_NAME_MAX, TAGS_PER_LINK_MAX } from '#contract/limits.ts';

/**
 * Cells that say that there is nothing. MySQL writes NULL and \N, spreadsheets and people write the
 * others.
 */
const NOTHING = /^(?:|null|\\n|none|never|no|n\/a|-|0|0000-00-00 00:00:00)$/i;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** The first moment of the year 10000, which RFC 3339 cannot express. */
const YEAR_10000 = 253_402_300_800_000;

/** The text of a value, trimmed; empty for anything that is not text or a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** One line of text without control characters, cut to what Hop stores. */
export const lineOf = (value: unknown, max: number): string =>
  cut(
    textOf(value)
      .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
      .normalize('NFC')
      .trim(),
    max,
  );

/** Text of several lines, cut to what Hop stores. */
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
 * The names of tags: a list of names or of objects with a name, or one text. Without duplicates,
 * and as many as Hop stores.
 */
export function tagsOf(value: unknown, separator = /[,;|]/): string[] {
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
  return [...byName.values()].slice(0, TAGS_PER_LINK_MAX);
}

function entriesOf(value: unknown, separator: RegExp): unknown[] {
  if (Array.isArray(value)) return value;
  const text = textOf(value);
  if (text.startsWith('[') && text.endsWith(']'))
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list;
    } catch {
      // Not a list in JSON, so text.
    }
  return text.split(separator);
}

/**
 * The code of a short link, or a code as it is. A service may write `https://host/code`,
 * `host/code`, `/code/` or `code`.
 */
export function linkCodeOf(value: unknown): string {
  const text = Array.isArray(value) ? textOf(value[0]) : textOf(value);
  const [first = ''] = text.slice(0, 2000).split(/[\s,;|]/);
  const path = first
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '//')
    .replace(/^(?:\/\/[^/?#]*|[^/?#]*\.[^/?#]*(?=\/))/, '')
    .replace(/[?#].*$/, '')
    .replaceAll(/^\/+|\/+$/g, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A short link without `https://`: services write it either way. */
export const shortLinkOf = (value: unknown): string => textOf(value).replace(/^https?:\/\//i, '');

/**
 * A time as RFC 3339 in UTC, null for none, undefined if it cannot be read. Times without a zone
 * are taken as UTC. Dates such as 03/04/2026 are not read, because the third of April and the
 * fourth of March look the same. With dots, the day is first.
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
  const ordered = text.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})/,
    (_, d: string, m: string, y: string) => [y, m.padStart(2, '0'), d.padStart(2, '0')].join('-'),
  );
  const [, year, month, day, time = '00:00', zone = 'Z'] = ISO.exec(ordered) ?? [];
  if (year === undefined) return undefined;
  // Date.parse takes February 30 for March 2.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return undefined;
  const offset = /^[+-]/.test(zone)
    ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
    : 'Z';
  const ms = Date.parse(`${year}-${month}-${day}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** For example "Jan 5, 2026 10:00 AM" or "Mon, 05 Jan 2026 10:00:00 GMT". */
function writtenTime(text: string): number | undefined {
  if (!MONTH.test(text) || !/\b\d{4}\b/.test(text)) return undefined;
  const hasZone = /(?:\b(?:gmt|utc|z)|[+-]\d{2}:?\d{2})\)?$/i.test(text);
  const ms = Date.parse(hasZone ? text : `${text} UTC`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A number of clicks; undefined if there is none. Spreadsheets write 1,234. */
export function countOf(value: unknown): number | undefined {
  const text = textOf(value).replaceAll(/(?<=\d)[,\u00A0 ](?=\d{3}(?!\d))/g, '');
  const count = Number(text);
  return text !== '' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export const isYes = (value: unknown): boolean =>
  value === true || /^(?:true|yes|y|1|archived)$/i.test(textOf(value));

/**
 * The parameters that a link forwards: names, or all of them. Some services only say whether they
 * forward the query.
 */
export function forwardOf(value: unknown): ForwardParams | undefined {
  const text = textOf(value);
  if (value === true || /^(?:all|true)$/i.test(text)) return 'all';
  if (!Array.isArray(value) && (NOTHING.test(text) || /^false$/i.test(text))) return undefined;
  const names = entriesOf(value, /,/).map(textOf).filter(isForwardable);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, FORWARDED_NAMES_MAX);
}
