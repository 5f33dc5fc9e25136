import { DAY_MS } from '#contract/time.ts';
import type { Origins } from '#worker/http/origins.ts';

/** How far in the future security.txt expires. RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/**
 * Private pages are not listed, because a crawler must be able to read their noindex. Crawlers may
 * read the part of the API that renders a post.
 */
export function robotsTxt(origins: Origins): string {
  return [
    'User-agent: *',
    'Allow: /api/blog',
    'Disallow: /api/',
    '',
    `Sitemap: ${origins.app}/sitemap.xml`,
    '',
  ].join('\n');
}

/** robots.txt of a separate short host. Short links have noindex, so nothing is disallowed. */
export const SHORT_ROBOTS_TXT = 'User-agent: *\nDisallow:\n';

/** security.txt (RFC 9116), written for every request. `Expires` is a whole number of days. */
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
