import { randomBytes } from 'node:crypto';
import type { Network } from './network.ts';
import type { Account } from './platform.ts';
import { isWorkersDev } from './worker-config.ts';

export type HostFacts = {
  host: string;
  /**
   * Who holds the zone of the host; `none` if the login sees no zone of it. For workers.dev,
   * whether the host is this Worker's.
   */
  zone: 'ours' | 'pending' | 'foreign' | 'none';
  nameServers: readonly string[];
  /** What already answers on this host, or null. */
  takenBy: string | null;
  /** False if it is unknown whether the host has a DNS record. */
  isChecked: boolean;
};

type Zone = {
  id: string;
  name: string;
  status: string;
  account?: { id: string };
  name_servers?: string[];
};

export async function readHost(
  account: Account,
  workerName: string,
  host: string,
  network: Network,
): Promise<HostFacts> {
  const known = { host, nameServers: [], takenBy: null, isChecked: true };
  if (isWorkersDev(host)) {
    const own = await account.readOrNull<{ subdomain: string }>('/workers/subdomain');
    const isOurs = own !== null && host === `${workerName}.${own.subdomain}.workers.dev`;
    return { ...known, zone: isOurs ? 'ours' : 'none' };
  }
  const zone = await findZone(account, host);
  const domains = await account.list<{ hostname: string; service: string }>(
    `/workers/domains?hostname=${host}`,
  );
  const service = domains.find(({ hostname }) => hostname === host)?.service;
  const nameServers = zone?.name_servers ?? [];
  if (service === workerName) return { ...known, zone: 'ours', nameServers };
  if (service !== undefined)
    return { ...known, zone: 'ours', nameServers, takenBy: `the Worker ${service}` };
  if (zone === null) return { ...known, zone: 'none' };
  if (!isOf(account, zone)) return { ...known, zone: 'foreign' };
  if (zone.status !== 'active') return { ...known, zone: 'pending', nameServers };
  const record = await findDnsRecord(account, zone, host, network);
  return { ...known, zone: 'ours', nameServers, ...record };
}

const isOf = ({ id }: Account, { account }: Zone): boolean =>
  account === undefined || account.id === id;

/**
 * Returns the zone of `host`: the longest of its suffixes that the login can see. Several accounts
 * can hold a zone of one name until it is active in one of them.
 */
async function findZone(account: Account, host: string): Promise<Zone | null> {
  const labels = host.split('.');
  for (let at = 0; at < labels.length - 1; at++) {
    const name = labels.slice(at).join('.');
    const zones = await account.platform.list<Zone>(`/zones?name=${name}`);
    const ours = zones.filter((zone) => isOf(account, zone));
    const found = ours.find(({ status }) => status === 'active') ?? ours[0] ?? zones[0];
    if (found?.name === name) return found;
  }
  return null;
}

/** Returns the id of the zone of `host`; null if it is another account's. */
export async function findOwnZone(account: Account, host: string): Promise<string | null> {
  const zone = await findZone(account, host);
  return zone !== null && isOf(account, zone) ? zone.id : null;
}

/**
 * Finds a DNS record of `host`. The zone's name servers are asked if the login may not read
 * records, as with `wrangler login`; they cannot tell a record from a wildcard.
 */
async function findDnsRecord(
  { platform }: Account,
  { id, name, name_servers = [] }: Zone,
  host: string,
  network: Network,
): Promise<Pick<HostFacts, 'takenBy' | 'isChecked'>> {
  const records = await platform.readOrNull<{ type: string; content: string }[]>(
    `/zones/${id}/dns_records?name=${host}`,
  );
  const record = records?.find(({ type }) => ['A', 'AAAA', 'CNAME'].includes(type));
  if (record)
    return { takenBy: `a DNS record (${record.type} ${record.content})`, isChecked: true };
  if (records !== null) return { takenBy: null, isChecked: true };
  const sibling = host.replace(/^[^.]+/, `hop-${randomBytes(6).toString('hex')}`);
  try {
    const address = await network.lookUp(host, name_servers);
    if (address === null) return { takenBy: null, isChecked: true };
    const isWildcard = host !== name && (await network.lookUp(sibling, name_servers)) !== null;
    return isWildcard
      ? { takenBy: null, isChecked: false }
      : { takenBy: `a DNS record (${address})`, isChecked: true };
  } catch {
    return { takenBy: null, isChecked: false };
  }
}
