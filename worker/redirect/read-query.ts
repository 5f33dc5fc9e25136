import { FORWARDED_CHARS_MAX, FORWARDED_PARAMS_MAX, QR_PARAM } from '#contract/limits.ts';
import type { EdgeRecord } from './edge-record.ts';
import { queryOf, utmOf } from './utm.ts';

/** How the query of a short URL affects its redirect and its click. */
export type QueryResult = {
  /** The URL to redirect to: the link's target with the parameters that the link forwards. */
  target: string;
  isQrScan: boolean;
  /** Forwarded UTM values (see `utmOf`). */
  utm: string;
};

const QR_SCAN = new RegExp(`(?:^|&)${QR_PARAM}=1(?:&|$)`);

/**
 * Reads a query without its '?'. Most links forward nothing, so their query is only searched for
 * the QR code parameter, and not parsed.
 */
export function readRedirectQuery(
  query: string,
  { u: target, f: params }: Pick<EdgeRecord, 'u' | 'f'>,
): QueryResult {
  const isQrScan = QR_SCAN.test(query);
  if (params === undefined) return { target, isQrScan, utm: '' };
  const forwarded = selectForwarded(query, target, params);
  return { target: addToQuery(target, forwarded.toString()), isQrScan, utm: utmOf(forwarded) };
}

/**
 * The parameters of `query` that `params` names and the target does not have. Values chosen by the
 * link's owner win, even if a server treats a different spelling as the same name. Parameters
 * beyond the limits are left out whole.
 */
function selectForwarded(query: string, target: string, params: string): URLSearchParams {
  const allowed = params === '*' ? null : new Set(params.split(','));
  const own = new Set([...queryOf(target).keys()].map(comparable));
  const forwarded = new URLSearchParams();
  let room = FORWARDED_CHARS_MAX;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === '' || name === QR_PARAM || CONTROL.test(name) || own.has(comparable(name)))
      continue;
    if (allowed !== null && !allowed.has(name)) continue;
    const length = new URLSearchParams([[name, value]]).toString().length + 1;
    if (length > room || forwarded.size >= FORWARDED_PARAMS_MAX) continue;
    room -= length;
    forwarded.append(name, value);
  }
  return forwarded;
}

/**
 * Some servers end a name at NUL or drop other control characters, so `next%00x` would be a second
 * `next`. These are the characters of `\p{Cc}`, written as ranges (docs/decisions.md#d72).
 */
const CONTROL = /[^ -~\u00a0-\u{10ffff}]/u;

/** Servers ignore case, read `a[]` as `a`, or `a.b` and `a b` as `a_b`. */
const comparable = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\[.*/s, '')
    .replace(/[^a-z0-9]/g, '_');

/** Adds parameters to the end of a URL's query, before the fragment. */
function addToQuery(href: string, added: string): string {
  if (added === '') return href;
  const hash = href.indexOf('#');
  const [start, fragment] = hash === -1 ? [href, ''] : [href.slice(0, hash), href.slice(hash)];
  const separator = !start.includes('?') ? '?' : /[?&]$/.test(start) ? '' : '&';
  return start + separator + added + fragment;
}
