import type { Network } from '#scripts/deploy/network.ts';
import type { FakeAccount } from './fake-account.ts';

/**
 * A resolver remembers a negative answer for as long as the SOA record of the zone says (RFC 2308
 * §5), here for half an hour.
 */
const NEGATIVE_MS = 30 * 60_000;

/**
 * The internet between a machine and the fake account: name servers, a resolver with a cache, and
 * certificates that take their time
 * (https://developers.cloudflare.com/workers/configuration/routing/custom-domains/).
 */
export class FakeNetwork implements Network {
  clock = 1_800_000_000_000;
  /** How long each host's certificate takes; `certificateMs` unless it is named here. */
  readonly certificates = new Map<string, number>();
  certificateMs = 0;
  /** How long the name servers take to know an attached host. */
  recordMs = 0;
  /** What the health check answers, by host. */
  readonly statuses = new Map<string, number>();
  /** The address of every host without a record, for a wildcard record. */
  wildcard: string | null = null;
  /** False if neither a name server nor a resolver over HTTPS can be reached. */
  canLookUp = true;
  readonly #account: FakeAccount;
  readonly #attachedAt = new Map<string, number>();
  readonly #negativeUntil = new Map<string, number>();

  constructor(account: FakeAccount) {
    this.#account = account;
  }

  lookUp = (host: string): Promise<string | null> =>
    this.canLookUp
      ? Promise.resolve(this.#address(host))
      : Promise.reject(new Error('No DNS server could be asked.'));

  checkHealth = (host: string): Promise<number | null> => {
    const isCached = (this.#negativeUntil.get(host) ?? 0) > this.clock;
    if (!isCached && this.#address(host) === null)
      this.#negativeUntil.set(host, this.clock + NEGATIVE_MS);
    if (isCached || this.#address(host) === null) return Promise.resolve(null);
    const readyAt =
      (this.#attachedAt.get(host) ?? 0) + (this.certificates.get(host) ?? this.certificateMs);
    return Promise.resolve(this.clock < readyAt ? null : (this.statuses.get(host) ?? 200));
  };

  sleep = (ms: number): Promise<void> => {
    this.clock += ms;
    return Promise.resolve();
  };

  #address(host: string): string | null {
    if (host.endsWith('.workers.dev')) return '192.0.2.2';
    const record = this.#account.dnsRecords.get(host)?.split(' ');
    if (record !== undefined && record[0] !== 'TXT') return record[1] ?? null;
    if (!this.#account.domains.has(host)) return this.wildcard;
    const attachedAt = this.#attachedAt.get(host) ?? this.clock;
    this.#attachedAt.set(host, attachedAt);
    return this.clock < attachedAt + this.recordMs ? this.wildcard : '192.0.2.1';
  }
}
