import type { Reputation } from '#worker/abuse/reputation.ts';
import { isLookalike } from './lookalike.ts';
import { unicodeHost } from './punycode.ts';
import { isIpv4, isIpv6, isPublicAddress } from './public-address.ts';
import { isShortener, isUnder } from './shorteners.ts';

/** The link policy (decision 12, threats 5 to 11): what a short link may lead to. The one place that says so. */

/** In characters, before and after parsing. */
const TARGET_MAX = 2048;

/** One sentence per reason: the form shows it beside the field. */
export const REFUSALS = {
  empty: 'Paste the long link first.',
  too_long: `The link is longer than ${TARGET_MAX.toLocaleString('en')} characters.`,
  bad_characters: 'The link holds invisible control characters or broken text. Copy it again from its source.',
  not_a_link: 'This is not a web address. It should look like https://example.com/page.',
  bad_scheme: 'Only links that start with http:// or https:// can be shortened.',
  credentials: 'The link holds a user name or a password. Remove the part before the @ sign.',
  own_host: 'This link leads back to us. It is short already.',
  private_host: 'This address works on a private network only. A short link needs a public one.',
  private_address: 'This address is not reachable from the public Internet.',
  host_too_long: 'The host name of this link is too long to exist.',
  bad_port: 'Browsers refuse to open this port.',
  shortener: 'This is a link of another shortener. Paste the link that it leads to.',
  lookalike_host: 'The host name of this link mixes scripts so that it can be taken for another one.',
} as const;

export type RefusalReason = keyof typeof REFUSALS;
export type Refusal = { ok: false; reason: RefusalReason; message: string };
/** `href` is what is stored and sent; `host` is for lists and statistics: lower-case, no port, no trailing dot. */
export type Destination = { ok: true; href: string; host: string };

/** What the deployment adds: its own hosts (`hostname`s), and shorteners from `shortenerHosts`. */
export type PolicyContext = { ownHosts: readonly string[]; shorteners: ReadonlySet<string> };
/** What a new target is held against besides: an outside reputation, where the deployment has set one up. */
export type LinkPolicy = PolicyContext & { reputation?: Reputation | null };

/** Names that never leave a private network (RFC 6761, 6762, 8375, ICANN's .internal, and common local habits). */
const PRIVATE_DOMAINS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
];

/** Ports that browsers refuse (Fetch standard, "bad port"). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
]);

const refuse = (reason: RefusalReason): Refusal => ({ ok: false, reason, message: REFUSALS[reason] });

/** Decides on a target as a person typed it. Never throws, whatever the text. */
export function checkDestination(raw: string, context: PolicyContext): Destination | Refusal {
  if (raw.length > TARGET_MAX) return refuse('too_long');
  const text = raw.trim();
  if (text === '') return refuse('empty');
  // With the u flag, \p{Surrogate} matches lone halves only.
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) return refuse('bad_characters');
  const absolute = withScheme(text);
  if (absolute === null) return refuse('not_a_link');
  const url = parse(absolute);
  if (url === null) return refuse(/^https?:/i.test(absolute) ? 'not_a_link' : 'bad_scheme');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('bad_scheme');
  if (url.href.length > TARGET_MAX) return refuse('too_long');
  if (url.username !== '' || url.password !== '') return refuse('credentials');
  // What is stored must mean the same to every later parser.
  if (parse(url.href)?.href !== url.href) return refuse('not_a_link');
  const host = bareHost(url.hostname);
  const fault = hostFault(host, url.port, context);
  return fault === null ? { ok: true, href: url.href, host } : refuse(fault);
}

/** The host as lists compare it: the parser has lower-cased it; one trailing dot means the same host. */
export const bareHost = (hostname: string): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

/** `example.com/x` and `example.com:8080` get https://; null for what is only a path or a query. */
function withScheme(text: string): string | null {
  if (text.startsWith('//')) return `https:${text}`;
  if (/^[/\\?#.]/.test(text)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return `https://${text}`;
  const hostAndPort = /^[^:]+:\d{1,5}(?:[/?#]|$)/.test(text) && (scheme.includes('.') || scheme.toLowerCase() === 'localhost');
  return hostAndPort ? `https://${text}` : text;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** False for an `xn--` label that stands for no text: browsers refuse it, the runtime's parser lets it through. */
const isRealIdn = (host: string): boolean => !host.includes('xn--') || parse(`https://${unicodeHost(host)}`)?.hostname === host;

function hostFault(host: string, port: string, { ownHosts, shorteners }: PolicyContext): RefusalReason | null {
  if (host.length > 253 || host.split('.').some((label) => label.length > 63)) return 'host_too_long';
  if (ownHosts.some((own) => isUnder(host, bareHost(own)))) return 'own_host';
  if (isIpv4(host) || isIpv6(host)) {
    if (!isPublicAddress(host)) return 'private_address';
  } else {
    if (host === '' || host.split('.').includes('') || !isRealIdn(host)) return 'not_a_link';
    if (!host.includes('.') || PRIVATE_DOMAINS.some((domain) => isUnder(host, domain))) return 'private_host';
  }
  if (port !== '' && BAD_PORTS.has(Number(port))) return 'bad_port';
  if (isShortener(host, shorteners)) return 'shortener';
  return isLookalike(host) ? 'lookalike_host' : null;
}
