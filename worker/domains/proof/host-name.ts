import { hasInvalidPunycode } from '#worker/safety/unicode-host.ts';
import { isBelowPrivateDomain } from '#worker/safety/target.ts';
import { isIpv4, isIpv6 } from '#worker/safety/public-address.ts';
import { isLookalike } from '#worker/safety/lookalike.ts';
import { isPublicSuffix } from '#worker/safety/own-domain.ts';
import { isShortener, isWithinDomain, shortenerHosts } from '#worker/safety/shorteners.ts';
import { normalizeHost } from '#worker/safety/host-list.ts';
import { imitatesName } from './imitates-name.ts';

/** The longest common name of a certificate, and so the longest custom hostname of the platform. */
export const HOST_NAME_MAX = 64;

export type HostNameFault =
  | 'not_a_host'
  | 'too_long'
  | 'own_host'
  | 'public_suffix'
  | 'private_host'
  | 'imitates';

/** The deployment's own hosts, and the target of the CNAME record. */
export type HostPolicy = { ownHosts: readonly string[]; shorteners: string };

/**
 * Returns a name that a member types as an A-label in lower case, or why it cannot be a domain for
 * short links. Never throws.
 */
export function checkHostName(
  text: string,
  { ownHosts, shorteners }: HostPolicy,
): { ok: true; host: string } | { ok: false; reason: HostNameFault } {
  const parsed = normalizeHost(text.trim().replace(/^https?:\/\/([^/?#]*)\/?$/i, '$1'));
  const fail = (reason: HostNameFault) => ({ ok: false, reason }) as const;
  if (!parsed.ok) return fail(parsed.reason === 'no_dot' ? 'public_suffix' : 'not_a_host');
  const { host } = parsed;
  if (text.trim().startsWith('*') || isIpv4(host) || isIpv6(host)) return fail('not_a_host');
  if (hasInvalidPunycode(host) || !/^(?!-)[a-z0-9-]+(?<!-)(?:\.(?!-)[a-z0-9-]+(?<!-))+$/.test(host))
    return fail('not_a_host');
  if (host.length > HOST_NAME_MAX) return fail('too_long');
  if (ownHosts.some((own) => isWithinDomain(host, own) || isWithinDomain(own, host)))
    return fail('own_host');
  if (isPublicSuffix(host)) return fail('public_suffix');
  if (isBelowPrivateDomain(host)) return fail('private_host');
  const isImitation =
    isLookalike(host) ||
    imitatesName(host, ownHosts) ||
    isShortener(host, shortenerHosts(shorteners));
  return isImitation ? fail('imitates') : { ok: true, host };
}
