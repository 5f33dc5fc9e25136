/**
 * The language of every text: pages, mails and API responses. Numbers, times, lists and plurals are
 * formatted here, and no other file names a language.
 */
export const LANGUAGE = 'en';

/** Creates a formatter on first use, because that takes longer than a warm redirect. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type Time = string | number | Date;

/** The order of a date's parts and the clock. The words are English in every form. */
export type DateForm = { locale: string; hourCycle?: 'h12' | 'h23' };

const FIXED: DateForm = { locale: LANGUAGE };
/** English outside the United States: '21 Nov 2026'. */
const ELSEWHERE = `${LANGUAGE}-001`;

/** The form of a browser's language: 'de' → English as it is written in Germany, with 24 hours. */
export function dateFormOf(language: string): DateForm {
  try {
    const { language: words, region } = new Intl.Locale(language).maximize();
    const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
    const wanted = words === LANGUAGE ? language : `${LANGUAGE}-${region}`;
    const { locale } = new Intl.DateTimeFormat(wanted).resolvedOptions();
    return {
      locale: words === LANGUAGE || locale === wanted ? locale : ELSEWHERE,
      hourCycle: hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23',
    };
  } catch {
    // A browser may name a language that is not well-formed, such as 'C'.
    return FIXED;
  }
}

/**
 * Example: `const day = dateFormat({ dateStyle: 'medium' })` gives `day(at)`, and `day(from,
 * until)` for a range.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions, form = () => FIXED) {
  const format = lazy(() => {
    const { locale, ...clock } = form();
    // '00:05', but '1:05 PM'.
    const hasTwoDigits = options.hour !== undefined && clock.hourCycle === 'h23';
    const hour = hasTwoDigits ? ({ hour: '2-digit' } as const) : {};
    return new Intl.DateTimeFormat(locale, { ...options, ...clock, ...hour });
  });
  return (at: Time, until?: Time): string =>
    until === undefined
      ? format().format(new Date(at))
      : format().formatRange(new Date(at), new Date(until));
}

export function numberFormat(options: Intl.NumberFormatOptions = {}, locale: string = LANGUAGE) {
  const format = lazy(() => new Intl.NumberFormat(locale, options));
  return (value: number): string => format().format(value);
}

/** 12345 → '12,345' */
export const formatNumber = numberFormat();
/** 'Nov 21, 2026', in UTC. */
export const formatUtcDate = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
/** 'Nov 21, 2026, 09:30 UTC' */
export const formatUtcTime = (at: Time): string =>
  `${formatUtcDate(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
/** 'Dec 12, 2026 (UTC)' */
export const formatUtcDay = (at: Time): string => `${formatUtcDate(at)} (UTC)`;

const pluralRules = lazy(() => new Intl.PluralRules(LANGUAGE));

/** The form of a word that goes with a count: (1, 'it', 'them') → 'it' */
export const wordFor = (count: number, one: string, many = `${one}s`): string =>
  pluralRules().select(count) === 'one' ? one : many;

/** 1 → '1 click', 1200 → '1,200 clicks' */
export const plural = (count: number, one: string, many?: string): string =>
  `${formatNumber(count)} ${wordFor(count, one, many)}`;

function listFormat(type: Intl.ListFormatType) {
  const format = lazy(() => new Intl.ListFormat(LANGUAGE, { type }));
  return (items: Iterable<string>): string => format().format(items);
}

/** 'a, b, and c' */
export const listAll = listFormat('conjunction');
/** 'a, b, or c' */
export const listAny = listFormat('disjunction');

const ages = lazy(() => new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }));

/** (-1, 'day') → 'yesterday' */
export const formatRelative = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
  ages().format(value, unit);

const regions = lazy(() => new Intl.DisplayNames(LANGUAGE, { type: 'region', fallback: 'code' }));

const languages = lazy(
  () => new Intl.DisplayNames(LANGUAGE, { type: 'language', fallback: 'code' }),
);

/** 'pt-br' → 'Brazilian Portuguese' */
export const languageName = (tag: string): string => languages().of(tag) ?? tag;

/** 'IN' → 'India'. The platform's code of the Tor network is no region, and `of` would throw. */
export const regionName = (code: string): string =>
  code === 'T1' ? 'Tor network' : (regions().of(code) ?? code);
