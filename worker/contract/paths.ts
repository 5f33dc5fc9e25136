/** Every first path segment the product answers itself. The router and the alias rules read this one list. */

/** Pages of the SPA: pattern → what needs a sign-in. The Worker serves the shell for these and 404 for the rest. */
export const PAGES = [
  '/',
  '/auth',
  '/auth/confirm',
  '/auth/reset',
  '/dashboard',
  '/analytics/:code',
  '/blogs',
  '/blog/:slug',
  '/admin',
  '/admin/blogs',
  '/pricing',
  '/about',
  '/privacy',
  '/terms',
  '/settings',
  '/report',
] as const;

/** Files the Worker or the assets answer at the root. */
export const ROOT_FILES = [
  'robots.txt',
  'sitemap.xml',
  'feed.xml',
  'favicon.ico',
  'favicon.svg',
  'apple-touch-icon.png',
  'icon-192.png',
  'icon-512.png',
  'social.png',
  'manifest.webmanifest',
  'index.html',
] as const;

/** Prefixes that never hold a short code. */
export const PREFIXES = ['ads', 'api', 'assets', 'dev', 'cdn-cgi', '.well-known'] as const;

/** The document that runs the ad network's script, shown in a sandboxed frame only. */
export const AD_FRAME_PATH = '/ads/frame';

/** What that frame may do: run its script and open an advertiser's page. It has neither our origin nor a way to navigate us. */
export const AD_SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** Words no alias may be, besides the segments above: common paths, words that mislead, our own name. */
const WORDS = [
  'about',
  'abuse',
  'account',
  'accounts',
  'activate',
  'administrator',
  'app',
  'apps',
  'billing',
  'blog',
  'blogs',
  'brand',
  'cdn',
  'checkout',
  'config',
  'confirm',
  'contact',
  'contracts',
  'copyright',
  'css',
  'delete',
  'developers',
  'docs',
  'domain',
  'domains',
  'download',
  'email',
  'embed',
  'error',
  'export',
  'faq',
  'feed',
  'file',
  'files',
  'fonts',
  'forgot',
  'ftp',
  'graphql',
  'health',
  'healthz',
  'help',
  'home',
  'hop',
  'host',
  'hostmaster',
  'icon',
  'icons',
  'image',
  'images',
  'img',
  'import',
  'index',
  'invite',
  'invoice',
  'invoices',
  'jobs',
  'js',
  'json',
  'legal',
  'link',
  'links',
  'login',
  'logout',
  'mail',
  'manifest',
  'me',
  'media',
  'metrics',
  'mobile',
  'my',
  'new',
  'news',
  'null',
  'oauth',
  'official',
  'password',
  'pay',
  'payment',
  'payments',
  'plans',
  'postmaster',
  'press',
  'preview',
  'profile',
  'public',
  'qr',
  'register',
  'report',
  'reports',
  'reset',
  'robots',
  'root',
  'rss',
  'sales',
  'script',
  'scripts',
  'search',
  'secure',
  'security',
  'settings',
  'share',
  'shop',
  'shorten',
  'signin',
  'signout',
  'signup',
  'sitemap',
  'sso',
  'static',
  'stats',
  'status',
  'store',
  'style',
  'styles',
  'subscribe',
  'support',
  'sw',
  'system',
  'team',
  'terms',
  'test',
  'token',
  'true',
  'false',
  'undefined',
  'unsubscribe',
  'upgrade',
  'url',
  'urls',
  'user',
  'users',
  'verify',
  'web',
  'webhook',
  'webhooks',
  'webmaster',
  'well-known',
  'wiki',
  'www',
];

const firstSegment = (path: string): string => path.split('/')[1] ?? '';

/** Lower-case words that may not become an alias. */
export const RESERVED: ReadonlySet<string> = new Set(
  [...PAGES.map(firstSegment), ...ROOT_FILES, ...PREFIXES, ...WORDS]
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase()),
);

/** True if `alias` may not be taken: a reserved word in any case, or a leading underscore (kept for the product). */
export function isReserved(alias: string): boolean {
  return alias.startsWith('_') || RESERVED.has(alias.normalize('NFKC').toLowerCase());
}

export type Page = (typeof PAGES)[number];

/** Which of the SPA's pages `pathname` is; null for none (a trailing slash is another path). */
export function pageOf(pathname: string): Page | null {
  if (pathname === '/') return '/';
  const parts = pathname.split('/');
  const fits = (page: Page): boolean => {
    const wanted = page.split('/');
    return (
      wanted.length === parts.length && wanted.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
    );
  };
  return PAGES.find(fits) ?? null;
}

export const isPage = (pathname: string): boolean => pageOf(pathname) !== null;

/**
 * Where an address that somebody may well have typed belongs: a page without its trailing slash, the blog's list. null for
 * every other path. None of these can be a link: their words are reserved.
 */
export function pageMeantBy(pathname: string): string | null {
  const path = pathname.replace(/\/+$/, '');
  if (path === '/blog') return '/blogs';
  return path !== pathname && path !== '' && isPage(path) ? path : null;
}

/**
 * Where a sign-in may lead: `wanted` (a path, or an address on `origin`) as the path of a page, with its query; '/dashboard' for
 * anything else. A short code, an API path, a file or another origin is never a page, and the sign-in's own pages lead nowhere.
 */
export function pageAfterSignIn(wanted: string | null, origin: string): string {
  const fallback = '/dashboard';
  if (wanted === null || wanted === '' || /[\\\s]/.test(wanted)) return fallback;
  const url = URL.parse(wanted, origin);
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return fallback;
  const isRelative = wanted.startsWith('/') && !wanted.startsWith('//');
  if (!isRelative && !wanted.startsWith(`${origin}/`)) return fallback;
  const isSignIn = url.pathname === '/auth' || url.pathname.startsWith('/auth/');
  return isPage(url.pathname) && !isSignIn ? url.pathname + url.search : fallback;
}
