import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { NOERROR, NXDOMAIN, readAnswer } from '#worker/safety/reputation.ts';
import { isIpv4, isIpv6, isPublicAddress } from '#worker/safety/public-address.ts';

/**
 * Cloudflare's resolver, which the platform itself uses. It learns the host names of endpoints and
 * nothing else.
 */
const RESOLVER = 'https://cloudflare-dns.com/dns-query';
const TIME_LIMIT_MS = 3_000;

/**
 * `unknown`: the name has no address, or the resolver did not answer for both families of
 * addresses.
 */
export type HostVerdict = 'public' | 'private' | 'unknown';

/**
 * Whether every address of a host is a public one. The platform resolves the name once more for the
 * request itself, so a name that changes in between is not noticed (SECURITY.md T43).
 */
export async function checkHost(hostname: string, fetcher: FetchFunction): Promise<HostVerdict> {
  if (isIpv4(hostname) || isIpv6(hostname)) return isPublicAddress(hostname) ? 'public' : 'private';
  try {
    const answers = await Promise.all(
      ['A', 'AAAA'].map((type) => resolve(hostname, type, fetcher)),
    );
    const addresses = answers.flat();
    if (addresses.some((address) => !isPublicAddress(address))) return 'private';
    return addresses.length === 0 ? 'unknown' : 'public';
  } catch {
    return 'unknown';
  }
}

/**
 * Addresses in the form of the URL parser. Records of other kinds, such as CNAME, are not
 * addresses. Throws without an answer.
 */
async function resolve(hostname: string, type: string, fetcher: FetchFunction): Promise<string[]> {
  const response = await fetcher(`${RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`, {
    headers: { Accept: 'application/dns-json' },
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  const answer = response.ok ? readAnswer(await response.json()) : null;
  // With SERVFAIL and the like, the name may have addresses that this answer lacks.
  if (answer === null || (answer.status !== NOERROR && answer.status !== NXDOMAIN))
    throw new Error('no answer');
  return answer.addresses.flatMap((address) => {
    if (isIpv4(address)) return [address];
    return address.includes(':') ? [URL.parse(`http://[${address}]`)?.hostname ?? '[::]'] : [];
  });
}
