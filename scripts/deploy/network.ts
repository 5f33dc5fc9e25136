import { Resolver, resolve4 } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { SMOKE_AGENT } from './smoke.ts';

/** What a deployment asks the internet, besides the platform's API. */
export type Network = {
  /**
   * Returns an address of `host` as the name servers of its zone have it, or null if it has none.
   * Throws if nobody can be asked.
   */
  lookUp: (host: string, nameServers: readonly string[]) => Promise<string | null>;
  /** Returns the status of the product's health check, or null without a connection. */
  checkHealth: (host: string) => Promise<number | null>;
  sleep: (ms: number) => Promise<void>;
};

const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);
const DNS_OVER_HTTPS = 'https://cloudflare-dns.com/dns-query';
const dnsAnswer = z.object({ Answer: z.optional(z.array(z.object({ data: z.string() }))) });
const RECORD_TYPES = ['A', 'AAAA', 'CNAME'] as const;

/**
 * The resolver of this machine is never asked about a host that may not exist yet: it would
 * remember the negative answer for the time that the zone's SOA record names (RFC 2308 §5), and not
 * find the new host until then.
 */
export const network: Network = {
  async lookUp(host, nameServers) {
    try {
      const servers = (await Promise.all(nameServers.map((server) => resolve4(server)))).flat();
      return await askServers(servers, host);
    } catch {
      // Some networks only let their own resolver through.
      return askOverHttps(host);
    }
  },
  // Every host serves robots.txt, also those that have only short links.
  checkHealth: (host) =>
    fetch(`https://${host}/robots.txt`, {
      headers: { 'User-Agent': SMOKE_AGENT },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    }).then(
      ({ status }) => status,
      () => null,
    ),
  sleep: (ms) => sleep(ms),
};

/** Asks DNS servers, given as `ADDRESS` or `ADDRESS:PORT`, without any cache between. */
export async function askServers(servers: readonly string[], host: string): Promise<string | null> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers(servers);
  const answers = await Promise.allSettled([
    resolver.resolve4(host),
    resolver.resolve6(host),
    resolver.resolveCname(host),
  ]);
  for (const answer of answers)
    if (answer.status === 'fulfilled' && answer.value[0] !== undefined) return answer.value[0];
  const isAnswered = answers.every(
    ({ status, ...answer }) =>
      status === 'fulfilled' || ('reason' in answer && NO_RECORD.has(answer.reason?.code)),
  );
  if (isAnswered) return null;
  throw new Error(`No DNS server could be asked about ${host}.`);
}

/** Asks a public resolver over HTTPS (RFC 8484), whose cache this machine does not use. */
export async function askOverHttps(host: string): Promise<string | null> {
  for (const type of RECORD_TYPES) {
    const response = await fetch(`${DNS_OVER_HTTPS}?name=${host}&type=${type}`, {
      headers: { accept: 'application/dns-json' },
      signal: AbortSignal.timeout(10_000),
    });
    const { Answer: [record] = [] } = dnsAnswer.parse(await response.json());
    if (record !== undefined) return record.data;
  }
  return null;
}
