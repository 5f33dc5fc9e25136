import { DAY_MS } from '#contract/time.ts';
import type { Origins } from '#worker/http/origins.ts';

/** How far ahead security.txt promises to be true; RFC 9116 asks for less than a year. */
const SECURITY_TXT_DAYS = 180;

/**
 * Private pages are not listed: they say noindex themselves, which a crawler must be able to read. Of the API it may read what
 * it needs to see a post as people see it.
 */
export function robotsTxt(origins: Origins): string {
  return ['User-agent: *', 'Allow: /api/blog', 'Disallow: /api/', '', `Sitemap: ${origins.app}/sitemap.xml`, ''].join('\n');
}

/** On a short host of its own: short links answer noindex themselves, so nothing is closed off. */
export const SHORT_ROBOTS_TXT = 'User-agent: *\nDisallow:\n';

/** RFC 9116. Expires moves along, by whole days: the file is written anew for every reader. */
export function securityTxt(origins: Origins, abuseEmail: string, now: number): string {
  const expires = new Date(Math.floor(now / DAY_MS + SECURITY_TXT_DAYS) * DAY_MS).toISOString();
  return [
    ...(abuseEmail === '' ? [] : [`Contact: mailto:${abuseEmail}`]),
    `Contact: ${origins.app}/report`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${origins.app}/.well-known/security.txt`,
    '',
  ].join('\n');
}
