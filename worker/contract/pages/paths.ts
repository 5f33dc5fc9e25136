/**
 * The paths that the product uses. The router and the alias rules (reserved.ts) share these lists.
 */

/** The pages of the SPA. The Worker serves index.html for these. */
export const PAGES = [
  '/',
  '/auth',
  '/auth/callback',
  '/auth/confirm',
  '/auth/reset',
  '/dashboard',
  '/links/import',
  '/analytics',
  '/analytics/:code',
  '/qr/:code',
  '/blogs',
  '/blog/:slug',
  '/admin',
  '/admin/blogs',
  '/admin/claim',
  '/pricing',
  '/about',
  '/privacy',
  '/terms',
  '/settings',
  '/settings/sessions',
  '/settings/plan',
  '/settings/domains',
  '/settings/api',
  '/settings/webhooks',
  '/settings/data',
  '/oauth/authorize',
  '/unsubscribe',
  '/share',
  '/report',
  '/tools',
  '/docs/api',
] as const;

/** Files at the root, served by the Worker or from the built assets. */
export const ROOT_FILES = [
  'robots.txt',
  'llms.txt',
  'ads.txt',
  'sitemap.xml',
  'feed.xml',
  'favicon.ico',
  'favicon.svg',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'social.png',
  'post-picture.bin',
  'manifest.webmanifest',
  'sw.js',
  'index.html',
] as const;

/** The origin in files of the build that contain addresses. The Worker replaces it with its own. */
export const BUILT_ORIGIN = 'https://origin.invalid';
/** The documentation of the API as text. */
export const LLMS_FILE = '/llms.txt';

/** First path segments that cannot be followed by short codes. */
export const PREFIXES = ['ads', 'api', 'assets', 'cli', 'dev', 'cdn-cgi', '.well-known'] as const;

/** The path of the MCP server, to which OAuth grants access. */
export const MCP_PATH = '/api/mcp';
/** The address for `npm install`, where the package is. */
export const CLI_PATH = '/cli';
/** The package with the command line and the client, and the client for Python. */
export const CLI_PACKAGE = '/cli/hop.tgz';
export const PYTHON_CLIENT = '/cli/hop.py';
/** The browser extension as archives: for Chromium's browsers, and for Firefox. */
export const EXTENSION_ARCHIVES = {
  chromium: '/cli/hop-chromium.zip',
  firefox: '/cli/hop-firefox.zip',
} as const;

/** The public status page, which the Worker writes and an operator turns on. */
export const STATUS_PATH = '/status';

/** The places of an ad: Home, below a result on Home, and Analytics. */
export const AD_PLACES = ['home', 'result', 'analytics'] as const;
export type AdPlace = (typeof AD_PLACES)[number];

/**
 * The documents that run the ad network's script, one for each place, shown only in sandboxed
 * frames.
 */
export const AD_FRAMES_PATH = '/ads/frame/';
export const adFramePath = (place: AdPlace): string => AD_FRAMES_PATH + place;

/** The place whose frame is at `pathname`; null if there is none. */
export const adPlaceOf = (pathname: string): AdPlace | null =>
  AD_PLACES.find((place) => adFramePath(place) === pathname) ?? null;

/**
 * The sandbox of a frame: it may run scripts and open an advertiser's page. It does not have our
 * origin and cannot navigate the page.
 */
export const AD_SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/**
 * Shows a shared report. Its secret is the fragment of the address, which browsers send to no
 * server.
 */
export const SHARE_PAGE = '/share' satisfies (typeof PAGES)[number];
export const sharedReportAddress = (origin: string, secret: string): string =>
  `${origin}${SHARE_PAGE}#${secret}`;

export type PagePath = (typeof PAGES)[number];

/**
 * The page of the SPA at `pathname`; null if there is none. A trailing slash makes a different
 * path.
 */
export function pageOf(pathname: string): PagePath | null {
  if (pathname === '/') return '/';
  const parts = pathname.split('/');
  const matches = (page: PagePath): boolean => {
    const wanted = page.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
    );
  };
  return PAGES.find(matches) ?? null;
}

export const isPage = (pathname: string): boolean => pageOf(pathname) !== null;

/**
 * The page to redirect to from a path that people are likely to type: a page with a trailing slash,
 * `/blog` or `/cli`. Null for every other path. These paths can never be short links, because their
 * words are reserved.
 */
export function canonicalPage(pathname: string): string | null {
  let end = pathname.length;
  // A regular expression would start again at each of many slashes.
  while (pathname[end - 1] === '/') end -= 1;
  const path = pathname.slice(0, end);
  if (path === '/blog') return '/blogs';
  if (path === CLI_PATH) return CLI_PACKAGE;
  return path !== pathname && path !== '' && isPage(path) ? path : null;
}

/**
 * The page to open after a sign-in: the path and query of `wanted` (a path, or a URL on `origin`)
 * if it is a page of the SPA other than the sign-in pages, otherwise '/dashboard'. A short code, an
 * API path, a file or another origin is never a page, so that a sign-in cannot be used as an open
 * redirect (docs/decisions.md#d42).
 */
export function pageAfterSignIn(wanted: string | null, origin: string): string {
  const fallback = '/dashboard';
  if (wanted === null || wanted === '' || /[\\\s]/.test(wanted)) return fallback;
  const url = URL.parse(wanted, origin);
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '')
    return fallback;
  const isRelative = wanted.startsWith('/') && !wanted.startsWith('//');
  if (!isRelative && !wanted.startsWith(`${origin}/`)) return fallback;
  const isSignIn = url.pathname === '/auth' || url.pathname.startsWith('/auth/');
  return isPage(url.pathname) && !isSignIn ? url.pathname + url.search : fallback;
}
