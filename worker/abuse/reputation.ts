import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { Fetcher } from './fetcher.ts';

/** What an outside list says of a host. 'unknown': nobody could say, or the list itself is not sure. */
export type Verdict = 'good' | 'bad' | 'unknown';
export type Reputation = (host: string) => Promise<Verdict>;

const ASK_LIMIT_MS = 2_000;
/** DNS response codes and extended errors (RFC 8914) that matter here. */
const NOERROR = 0;
const NXDOMAIN = 3;
const BLOCKED = /\bEDE\((15|16|17)\)/;

/**
 * The check that `url` (REPUTATION_DOH_URL) sets up, or null where it is empty: the product then asks nobody.
 * `url` is a DNS-over-HTTPS address that answers JSON. With `{host}` in it, it asks a DNS blocklist
 * (`https://dns.example/dns-query?name={host}.dbl.example&type=A`); without, a filtering resolver.
 */
export function reputationAt(url: string, fetcher: Fetcher): Reputation | null {
  if (url === '') return null;
  const asksList = url.includes('{host}');
  return async (host) => {
    // A list of names knows no addresses.
    if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'good';
    const name = encodeURIComponent(host);
    const query = asksList ? url.replace('{host}', name) : `${url}${url.includes('?') ? '&' : '?'}name=${name}&type=A`;
    try {
      const response = await fetcher(query, {
        headers: { Accept: 'application/dns-json' },
        signal: AbortSignal.timeout(ASK_LIMIT_MS),
      });
      if (!response.ok) return 'unknown';
      const answer = readAnswer(await response.json());
      if (answer === null) return 'unknown';
      return asksList ? ofList(answer) : ofResolver(answer);
    } catch {
      return 'unknown';
    }
  };
}

type Answer = { status: number; addresses: string[]; comment: string };

/** The JSON form of a DNS answer: `{ Status, Answer: [{ type, data }], Comment }`. Null for anything else. */
function readAnswer(body: unknown): Answer | null {
  if (typeof body !== 'object' || body === null || !('Status' in body) || typeof body.Status !== 'number') return null;
  const records: unknown[] = 'Answer' in body && Array.isArray(body.Answer) ? body.Answer : [];
  const comment = 'Comment' in body ? JSON.stringify(body.Comment) : '';
  const addresses = records.flatMap((record) =>
    typeof record === 'object' && record !== null && 'data' in record && typeof record.data === 'string' ? [record.data] : [],
  );
  return { status: body.Status, addresses, comment };
}

/** A filtering resolver answers the null address for what it blocks, or says so in an extended error. */
function ofResolver({ status, addresses, comment }: Answer): Verdict {
  if (BLOCKED.test(comment) || addresses.some((address) => address === '0.0.0.0' || address === '::')) return 'bad';
  return status === NOERROR || status === NXDOMAIN ? 'good' : 'unknown';
}

/**
 * A DNS blocklist answers an address in 127.0.1.0/24 for what it lists. From .100 on it means a good host that is abused:
 * not sure. 127.255.255.0/24 are the list's own errors.
 */
function ofList({ status, addresses }: Answer): Verdict {
  if (status === NXDOMAIN || (status === NOERROR && addresses.length === 0)) return 'good';
  const codes = addresses.map((address) => /^127\.0\.\d+\.(\d+)$/.exec(address)?.[1]);
  return codes.some((code) => code !== undefined && Number(code) >= 2 && Number(code) < 100) ? 'bad' : 'unknown';
}

/** How long a link's host is asked about again: pages turn bad after they were looked at. */
const WATCHED_MS = 30 * DAY_MS;

/** When to ask again about a link of this age (ms), after this verdict; null = no more. Times in ms. */
export function askAgainAt(verdict: 'good' | 'unknown', createdAt: number, now: number): number | null {
  if (verdict === 'unknown') return now + 10 * MINUTE_MS;
  const age = now - createdAt;
  if (age >= WATCHED_MS) return null;
  return now + (age < DAY_MS ? HOUR_MS : DAY_MS);
}
