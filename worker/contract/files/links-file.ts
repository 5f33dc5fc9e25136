import * as z from 'zod/mini';
import { oneTo } from '#contract/common-schemas.ts';
import { MATCHING_MAX } from '#contract/limits.ts';
import { linkFilters } from '#contract/links/links.ts';

/** Formats of redirects for web servers and other services, so that links work without Hop. */
const REDIRECT_MAP_FORMATS = [
  'redirects',
  'nginx',
  'apache',
  'caddy',
  'cloudflare',
  'shlink',
  'yourls',
  'dub',
] as const;
export type RedirectMapFormat = (typeof REDIRECT_MAP_FORMATS)[number];
export const LINKS_FORMATS = ['csv', 'json', ...REDIRECT_MAP_FORMATS] as const;
export type LinksFormat = (typeof LINKS_FORMATS)[number];

/**
 * The member's links as a file. Redirect maps contain the links that redirect at this moment.
 */
export const linksFileQuery = z.object({ format: z._default(z.enum(LINKS_FORMATS), 'csv') });

/** POST /api/account/links: the same file with some of the links. */
export const someLinksFileRequest = z.object({
  format: z._default(z.enum(LINKS_FORMATS), 'csv'),
  ids: z.array(z.int().check(z.minimum(1))).check(...oneTo('ids', MATCHING_MAX)),
});

/**
 * GET /api/account/links. With `listed=1` the file has the links that GET /api/my-urls lists with
 * the same filters, otherwise all links, deleted ones included.
 */
export const accountLinksQuery = z.object({
  ...linksFileQuery.shape,
  ...linkFilters,
  listed: z.optional(z.literal('1')),
});

export const LINKS_FILES: Readonly<Record<LinksFormat, string>> = {
  csv: 'links.csv',
  json: 'links.json',
  redirects: '_redirects',
  nginx: 'hop-nginx.conf',
  apache: 'hop.txt',
  caddy: 'hop.caddyfile',
  cloudflare: 'bulk-redirects.csv',
  shlink: 'shlink.csv',
  yourls: 'yourls.csv',
  dub: 'dub.csv',
};
