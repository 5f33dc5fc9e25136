/** The UTM parameters by which clicks are counted. A missing one counts as ''. */
const COUNTED = ['utm_source', 'utm_medium', 'utm_campaign'] as const;
/** Stored values are cut to this many UTF-16 units. */
const VALUE_MAX = 80;

/** The UTM values of a query as 'source|medium|campaign'; '' if it has none of them. */
export function utmOf(params: URLSearchParams): string {
  const values = COUNTED.map((name) => cleanValue(params.get(name) ?? ''));
  return values.every((value) => value === '') ? '' : values.join('|');
}

export const utmOfTarget = (target: string): string =>
  target.includes('utm_') ? utmOf(queryOf(target)) : '';

/** The query of an href, found without parsing the rest. */
export function queryOf(href: string): URLSearchParams {
  const [withoutFragment = ''] = href.split('#', 1);
  const start = withoutFragment.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : withoutFragment.slice(start + 1));
}

/** The characters of `[\p{Cc}\p{Cs}|]`, written as ranges (docs/decisions.md#d72). */
const UNJOINABLE = /[^ -{}~\u00a0-\ud7ff\ue000-\u{10ffff}]/gu;

/**
 * Removes control characters, lone surrogates and the separator '|', which would break a joined
 * value.
 */
export const cleanValue = (text: string): string =>
  text.replace(UNJOINABLE, ' ').slice(0, VALUE_MAX);
