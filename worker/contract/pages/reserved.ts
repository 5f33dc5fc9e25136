import { PAGES, PREFIXES, ROOT_FILES } from './paths.ts';

/**
 * Reserved words besides the paths of the product: common paths, misleading words and our own name.
 */
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
  'changelog',
  'checkout',
  'config',
  'confirm',
  'contact',
  'contracts',
  'copyright',
  'css',
  'delete',
  'developer',
  'developers',
  'docs',
  'domain',
  'domains',
  'download',
  'email',
  'embed',
  'error',
  'export',
  'false',
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
  'mcp',
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
  'openapi',
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
  'reference',
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
  'tool',
  'tools',
  'true',
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

/** Words that cannot be an alias, in lower case. The rule below reserves further ones. */
export const RESERVED: ReadonlySet<string> = new Set(
  [...PAGES.map(firstSegment), ...ROOT_FILES, ...PREFIXES, ...WORDS]
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase()),
);

/**
 * Words about signing in, passwords, identity checks and payments, which phishing pages use in
 * their addresses. An alias is reserved if it consists of such a word and words that go with it:
 * `reset-password`, `verify_account`, `login2`. Signing up is not among them, because events and
 * newsletters have links for that.
 */
const CREDENTIAL =
  'sign(?:in|on|out|off)|log(?:in|on|out|off)|passw(?:or)?ds?|pass(?:codes?|keys?)|verif(?:y|ied|ication)|auth(?:enticat(?:e|ion|or))?|wallets?|credentials?|(?:my|your|user)accounts?|admins?|administrators?|2fa|mfa|otp|sso';
const COMPANION =
  'my|your|our|the|to|for|and|now|here|new|users?|clients?|members?|customers?|accounts?|web|online|secure|security|safe|reset|change|update|forgot|recover|recovery|unlock|restore|activate|activation|validate|validation|confirm|confirmation|required|codes?|page|portal|center|centre|team|support|help|desk|services?|official|e?mail|bank|banking|pay|payments?|billing|id|hop|[0-9]';
const CREDENTIALS = new RegExp(
  `^(?:${COMPANION})*(?:${CREDENTIAL})(?:${CREDENTIAL}|${COMPANION})*$`,
);
/** Digits that stand for letters, as in `l0g1n`. */
const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/**
 * True if `alias` is a reserved word or consists of words about credentials, in any case and with
 * or without `-` and `_`. What starts with an underscore is reserved for the product.
 */
export function isReserved(alias: string): boolean {
  const word = alias.normalize('NFKC').toLowerCase();
  const joined = word.replaceAll(/[-_]/g, '');
  if (alias.startsWith('_') || RESERVED.has(word) || RESERVED.has(joined)) return true;
  return namesCredentials(joined);
}

/**
 * True if the code of an imported link is reserved: its first segment, which may lead to a page, or
 * a segment with words about credentials.
 */
export function isReservedKey(code: string): boolean {
  const [first = ''] = code.split('/');
  return isReserved(first) || hasCredentialWords(code);
}

/** True if a segment of the code of a link consists of words about credentials. */
export const hasCredentialWords = (code: string): boolean =>
  code.split('/').some((part) => namesCredentials(part.toLowerCase().replaceAll(/[-_]/g, '')));

/** `joined` is in lower case and without `-` and `_`. */
function namesCredentials(joined: string): boolean {
  const spelled = joined.replaceAll(/[03457]/g, (digit) => DIGITS[digit] ?? digit);
  return [joined, spelled.replaceAll('1', 'i'), spelled.replaceAll('1', 'l')].some((text) =>
    CREDENTIALS.test(text),
  );
}
