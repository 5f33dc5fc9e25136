import { TARGET_MAX } from '#contract/limits.ts';
import type { PolicyReason } from '#worker/messages/links.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import { isLookalike } from './lookalike.ts';
import { isIpv4, isIpv6, isPublicAddress } from './public-address.ts';
import { isShortener, isWithinDomain } from './shorteners.ts';
import { hasInvalidPunycode } from './unicode-host.ts';

/**
 * The link policy: which targets a short link may have (docs/decisions.md#d12, SECURITY.md T5 to
 * T11). No other module decides this.
 */

export type TargetError = { ok: false; reason: PolicyReason };

/**
 * `href` is stored and sent unchanged. `host` is for lists and statistics: lower-case, without port
 * and trailing dot.
 */
export type Target = { href: string; host: string };

/**
 * The deployment's own hosts (as `URL.hostname`), and the shorteners to reject (from
 * `shortenerHosts`).
 */
export type TargetPolicy = { ownHosts: readonly string[]; shorteners: ReadonlySet<string> };

/**
 * Domains that are only used in private networks (RFC 6761, 6762, 8375, ICANN's .internal, and
 * common local names).
 */
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

/** True for a host that only a private network can look up. */
export const isBelowPrivateDomain = (host: string): boolean =>
  PRIVATE_DOMAINS.some((domain) => isWithinDomain(host, domain));

/** Ports that browsers block (Fetch standard, "bad port"). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

const invalid = (reason: PolicyReason): TargetError => ({ ok: false, reason });

/** With the u flag, \p{Surrogate} matches unpaired surrogates only. */
const BAD_CHARACTERS = new RegExp(String.raw`[\p{Cc}\p{Surrogate}]`, 'u');

/** Parses a target as a person typed it, and applies the link policy. Never throws. */
export function checkTarget(
  raw: string,
  policy: TargetPolicy,
): { ok: true; target: Target } | TargetError {
  if (raw.length > TARGET_MAX) return invalid('too_long');
  const text = raw.trim();
  if (text === '') return invalid('empty');
  if (BAD_CHARACTERS.test(text)) return invalid('bad_characters');
  const absolute = addScheme(text);
  if (absolute === null) return invalid('not_a_link');
  const url = URL.parse(absolute);
  if (url === null) return invalid(/^https?:/i.test(absolute) ? 'not_a_link' : 'bad_scheme');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalid('bad_scheme');
  if (url.href.length > TARGET_MAX) return invalid('too_long');
  if (url.username !== '' || url.password !== '') return invalid('credentials');
  // Every later parser must read the stored text in the same way.
  if (URL.parse(url.href)?.href !== url.href) return invalid('not_a_link');
  const host = withoutTrailingDot(url.hostname);
  const reason = checkHost({ host, port: url.port, hadScheme: absolute === text }, policy);
  return reason === null ? { ok: true, target: { href: url.href, host } } : invalid(reason);
}

/**
 * Adds https:// to `example.com/x` and `example.com:8080`. Returns null for a path or a query
 * without a host.
 */
function addScheme(text: string): string | null {
  if (text.startsWith('//')) return `https:${text}`;
  if (/^[/\\?#.]/.test(text)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return `https://${text}`;
  const isHostAndPort =
    /^[^:]+:\d{1,5}(?:[/?#]|$)/.test(text) &&
    (scheme.includes('.') || scheme.toLowerCase() === 'localhost');
  return isHostAndPort ? `https://${text}` : text;
}

function checkHost(
  { host, port, hadScheme }: { host: string; port: string; hadScheme: boolean },
  { ownHosts, shorteners }: TargetPolicy,
): PolicyReason | null {
  if (host.length > 253 || host.split('.').some((label) => label.length > 63))
    return 'host_too_long';
  if (ownHosts.some((own) => isWithinDomain(host, withoutTrailingDot(own)))) return 'own_host';
  if (isIpv4(host) || isIpv6(host)) {
    if (!isPublicAddress(host)) return 'private_address';
  } else {
    // Browsers reject labels with invalid Punycode, but the runtime's parser accepts them.
    if (host === '' || host.split('.').includes('') || hasInvalidPunycode(host))
      return 'not_a_link';
    if (isBelowPrivateDomain(host)) return 'private_host';
    // `nonsense` is a typing error; `https://router` is a computer on a private network.
    if (!host.includes('.')) return hadScheme ? 'private_host' : 'not_a_link';
  }
  if (port !== '' && BAD_PORTS.has(Number(port))) return 'bad_port';
  if (isShortener(host, shorteners)) return 'shortener';
  return isLookalike(host) ? 'lookalike_host' : null;
}
