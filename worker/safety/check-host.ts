import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { NOERROR, NXDOMAIN, readAnswer } from './reputation.ts';
import { isIpv4, isIpv6, isPublicAddress } from './public-address.ts';

/**
 * Cloudflare's resolver, which the platform itself uses. It learns only the host names of
 * endpoints.
 */
const RESOLVER = 'https://cloudflare-dns.com/dns-query';
const TIME_LIMIT_MS = 3_000;

/**
 * `missing` means that the name has no address, `unknown` that the resolver did not answer for both
 * IPv4 and IPv6.
 */
export type HostVerdict = 'public' | 'private' | 'missing' | 'unknown';

/**
 * Checks whether every address of a host is public. The platform resolves the name again for the
 * request itself, so a change in between goes unnoticed (SECURITY.md T43).
 */
export async function checkHost(hostname: string, fetcher: FetchFunction): Promise<HostVerdict> {
  if (isIpv4(hostname) || isIpv6(hostname)) return isPublicAddress(hostname) ? 'public' : 'private';
  try {
    const answers = await Promise.all(
      ['A', 'AAAA'].map((type) => resolve(hostname, type, fetcher)),
    );
    const addresses = answers.flat();
    if (addresses.some((address) => !isPublicAddress(address))) return 'private';
    return addresses.length === 0 ? 'missing' : 'public';
  } catch {
    return 'unknown';
  }
}

/**
 * Returns the host's addresses in the form of the URL parser, without other records such as CNAME.
 * Throws if there is no answer.
 */
async function resolve(hostname: string, type: string, fetcher: FetchFunction): Promise<string[]> {
  const response = await fetcher(`${RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  const answer = response.ok ? readAnswer(await response.json()) : null;
  // With SERVFAIL and similar codes, the name may have addresses that this answer lacks.
  if (answer === null || (answer.status !== NOERROR && answer.status !== NXDOMAIN))
    throw new Error('no answer');
  return answer.addresses.flatMap((address) => {
    if (isIpv4(address)) return [address];
    return address.includes(':') ? [URL.parse(`http://[${address}]`)?.hostname ?? '[::]'] : [];
  });
}
