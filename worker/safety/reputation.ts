import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';

/**
 * The rating of a host by an external service. 'unknown' means that the service did not answer or
 * is not sure.
 */
export type Verdict = 'good' | 'bad' | 'unknown';
export type Reputation = (host: string) => Promise<Verdict>;

const QUERY_TIME_LIMIT_MS = 2_000;
/**
 * DNS response codes: NOERROR means that the name exists, with or without records of the type;
 * NXDOMAIN that it does not exist.
 */
export const NOERROR = 0;
export const NXDOMAIN = 3;
/** The extended DNS errors Blocked, Censored and Filtered (RFC 8914). */
const BLOCKED = /\bEDE\((15|16|17)\)/;

/**
 * Returns the reputation check for REPUTATION_DOH_URL, or null if the variable is empty and hosts
 * are not checked. `url` is a DNS-over-HTTPS address that answers JSON. With `{host}` in it, it
 * queries a DNS blocklist (`https://dns.example/dns-query?name={host}.dbl.example&type=A`);
 * without, a filtering resolver.
 */
export function createReputation(url: string, fetcher: FetchFunction): Reputation | null {
  if (url === '') return null;
  const isBlocklist = url.includes('{host}');
  return async (host) => {
    // These services rate names, not IP addresses.
    if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'good';
    const name = encodeURIComponent(host);
    const query = isBlocklist
      ? url.replace('{host}', name)
      : `${url}${url.includes('?') ? '&' : '?'}name=${name}&type=A`;
    try {
      const response = await fetcher(query, {
        headers: { Accept: 'application/dns-json' },
        signal: AbortSignal.timeout(QUERY_TIME_LIMIT_MS),
      });
      if (!response.ok) return 'unknown';
      const answer = readAnswer(await response.json());
      if (answer === null) return 'unknown';
      return isBlocklist ? ratingByBlocklist(answer) : ratingByResolver(answer);
    } catch {
      return 'unknown';
    }
  };
}

export type Answer = { status: number; addresses: string[]; comment: string };

/**
 * Parses the JSON form of a DNS answer, `{ Status, Answer: [{ type, data }], Comment }`. Returns
 * null for anything else.
 */
export function readAnswer(body: unknown): Answer | null {
  if (
    typeof body !== 'object' ||
    body === null ||
    !('Status' in body) ||
    typeof body.Status !== 'number'
  )
    return null;
  const records: unknown[] = 'Answer' in body && Array.isArray(body.Answer) ? body.Answer : [];
  const comment = 'Comment' in body ? JSON.stringify(body.Comment) : '';
  const addresses = records.flatMap((record) =>
    typeof record === 'object' &&
    record !== null &&
    'data' in record &&
    typeof record.data === 'string'
      ? [record.data]
      : [],
  );
  return { status: body.Status, addresses, comment };
}

/** A filtering resolver returns the null address or an extended error for a host it blocks. */
function ratingByResolver({ status, addresses, comment }: Answer): Verdict {
  if (
    BLOCKED.test(comment) ||
    addresses.some((address) => address === '0.0.0.0' || address === '::')
  )
    return 'bad';
  return status === NOERROR || status === NXDOMAIN ? 'good' : 'unknown';
}

/**
 * A DNS blocklist returns an address in 127.0.1.0/24 for a listed host. A last byte from 100 on
 * means a legitimate host that is abused, which counts as unknown. Addresses in 127.255.255.0/24
 * are errors of the blocklist.
 */
function ratingByBlocklist({ status, addresses }: Answer): Verdict {
  if (status === NXDOMAIN || (status === NOERROR && addresses.length === 0)) return 'good';
  const codes = addresses.map((address) => /^127\.0\.\d+\.(\d+)$/.exec(address)?.[1]);
  return codes.some((code) => code !== undefined && Number(code) >= 2 && Number(code) < 100)
    ? 'bad'
    : 'unknown';
}

/**
 * How long a link's target is rechecked after it was set, because attackers change pages after the
 * first check.
 */
const RECHECK_PERIOD_MS = 30 * DAY_MS;

/**
 * Returns when to check a link again after this verdict; null for never. `since` is when the link
 * got its target. Times in ms since 1970.
 */
export function nextCheckAt(
  verdict: 'good' | 'unknown',
  since: number,
  now: number,
): number | null {
  if (verdict === 'unknown') return now + 10 * MINUTE_MS;
  const age = now - since;
  if (age >= RECHECK_PERIOD_MS) return null;
  return now + (age < DAY_MS ? HOUR_MS : DAY_MS);
}
