import type { AuthSettings } from './settings.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const IP_HOST = /^(?:\[.*\]|[\d.]+)$/;

/**
 * Where a mailed link may send the browser, tokens and all: `wanted` if it is on our own site or on the allow-list,
 * else the site itself (contract §5). Parts are compared after parsing, never the text: `//host`, backslashes,
 * user names and other schemes cannot slip through. Checked when the mail is written and again at the click.
 */
export function redirectTarget(settings: Pick<AuthSettings, 'siteUrl' | 'appOrigin' | 'redirectAllow'>, wanted: string): string {
  const url = wanted === '' || /[\\\s]/.test(wanted) ? null : URL.parse(wanted);
  if (url === null || !isWebAddress(url, wanted)) return settings.siteUrl;
  const ours = [settings.siteUrl, settings.appOrigin].some((site) => isSameSite(url, site));
  return ours || settings.redirectAllow.some((glob) => matches(glob, url)) ? url.href : settings.siteUrl;
}

function isWebAddress(url: URL, text: string): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '') return false;
  const host = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (host === undefined) return false;
  // An address in numbers: only this machine's, and only as it is usually written (not 2130706433, not 0x7f.1).
  return !IP_HOST.test(url.hostname) || (LOOPBACK.has(url.hostname) && host.startsWith(url.hostname));
}

/** Same scheme, host and port; on this machine any port, because tools use many. */
function isSameSite(url: URL, site: string): boolean {
  const own = URL.parse(site);
  if (own === null || own.protocol !== url.protocol || own.hostname !== url.hostname) return false;
  return own.port === url.port || LOOPBACK.has(url.hostname);
}

/** `*` stops at `.` and `/`, `**` does not, `?` is one character; the fragment is left out. */
function matches(glob: string, url: URL): boolean {
  const pattern = glob.replaceAll(/\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^./]*';
    return part === '?' ? '[^./]' : `\\${part}`;
  });
  const bare = new URL(url);
  bare.hash = '';
  const whole = new RegExp(`^${pattern}$`);
  return whole.test(bare.href) || (bare.pathname === '/' && bare.search === '' && whole.test(bare.origin));
}

/** The target with the session in its fragment: a fragment is never sent to a server. A query of the target stays. */
export function withFragment(target: string, values: Record<string, string>): string {
  const base = target.split('#')[0] ?? target;
  return `${base}#${new URLSearchParams(values).toString()}`;
}

/** The target with these added to its query. */
export function withQuery(target: string, values: Record<string, string>): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}
