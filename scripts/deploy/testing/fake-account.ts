import { DatabaseSync } from 'node:sqlite';
import { FakeWorker, type Annotations, type Binding, type FakeVersion } from './fake-worker.ts';

export type FakeZone = {
  id: string;
  name: string;
  /** Pending until the registrar names the zone's name servers. */
  status: 'active' | 'pending';
  /** The id of the account that holds the zone; a login can see zones of several accounts. */
  account: string;
  name_servers: string[];
};

/** The state of an account on the fake platform. */
export class FakeAccount {
  readonly id = '0123456789abcdef0123456789abcdef';
  readonly name = 'Example account';
  readonly zones: FakeZone[];
  readonly databases = new Map<string, { name: string; db: DatabaseSync; place: object }>();
  readonly namespaces = new Map<string, string>();
  /** The values in KV by namespace and key. */
  readonly values = new Map<string, Map<string, { value: Buffer; metadata?: unknown }>>();
  readonly queues = new Map<string, { name: string; consumers: Record<string, unknown>[] }>();
  readonly buckets = new Set<string>();
  /** The texts of objects, by bucket and key. */
  readonly objects = new Map<string, string>();
  readonly bucketHints = new Map<string, string>();
  readonly workers = new Map<string, FakeWorker>();
  /** Maps a host to the Worker that answers it. */
  readonly domains = new Map<string, string>();
  /** Maps a host to a DNS record that somebody else created, for example `A 192.0.2.1`. */
  readonly dnsRecords = new Map<string, string>();
  /** The domains that can send mail; null if the login may not read them. */
  sendingDomains: { name: string; enabled?: boolean }[] | null = [];
  /** How many D1 databases the plan allows (https://github.com/cloudflare/workers-sdk/issues/2913). */
  databaseLimit = 50_000;
  /** False if the owner has not enabled R2 yet. */
  hasR2 = true;
  /**
   * False if an upload that is bound to a bucket fails although R2 is on
   * (https://github.com/cloudflare/workers-sdk/issues/15610).
   */
  bindsR2 = true;
  /** True if the buckets hold objects, so that the platform deletes none. */
  hasBackups = false;
  readonly others: { id: string; name: string }[] = [];
  subdomain: string | null = 'example';
  /** The rate plans of the account's subscriptions; null if the login may not read them. */
  plans: { id: string; scope?: string; is_contract?: boolean }[] | null = [{ id: 'workers_paid' }];
  /** Requests (`METHOD /path`) that the login has no permission for. */
  denied: RegExp | null = null;
  /** False if the login may not read DNS records, as after `wrangler login`. */
  canReadDns = true;
  readonly restored: string[] = [];
  /** Statements that contain this text fail, to test a failing migration. */
  failingSql: string | null = null;

  constructor(zones: readonly string[]) {
    this.zones = zones.map((name, at) => ({
      id: String(at).padStart(32, '0'),
      name,
      status: 'active',
      account: this.id,
      name_servers: ['ada.ns.example.net', 'bob.ns.example.net'],
    }));
  }

  /** Returns the names of all resources, to compare two environments or two deployments. */
  names(): string[] {
    return [
      ...[...this.databases.values()].map(({ name }) => `d1 ${name}`),
      ...[...this.namespaces.values()].map((name) => `kv ${name}`),
      ...[...this.queues.values()].map(({ name }) => `queue ${name}`),
      ...[...this.buckets].map((name) => `r2 ${name}`),
      ...[...this.workers.keys()].map((name) => `worker ${name}`),
      ...[...this.domains.keys()].map((host) => `domain ${host}`),
    ].toSorted();
  }

  database(name: string): DatabaseSync {
    for (const entry of this.databases.values()) if (entry.name === name) return entry.db;
    throw new Error(`The fake platform has no database ${name}`);
  }

  /** Uploads a version of a Worker, which exists from its first version on. */
  addVersion(
    name: string,
    bindings: Binding[],
    annotations?: Annotations,
    keepsSecrets = true,
  ): FakeVersion {
    const worker = this.workers.get(name) ?? new FakeWorker();
    this.workers.set(name, worker);
    return worker.upload(bindings, { annotations, keepsSecrets });
  }

  /**
   * Gives a Worker its custom domains. The list replaces the former one, and a detached host loses
   * its DNS record (https://github.com/kentcdodds/kody/pull/1015).
   */
  replaceDomains(name: string, hosts: readonly string[]): void {
    for (const [host, worker] of this.domains)
      if (worker === name && !hosts.includes(host)) this.domains.delete(host);
    for (const host of hosts) this.attachDomain(name, host);
  }

  /** Returns how many queues a Worker consumes. */
  consumersOf(name: string): number {
    return [...this.queues.values()].flatMap(({ consumers }) =>
      consumers.filter(({ script }) => script === name),
    ).length;
  }

  /** The platform puts a record of its own in the place of the host's DNS record. */
  attachDomain(name: string, host: string): void {
    this.dnsRecords.delete(host);
    this.domains.set(host, name);
  }

  deploy(name: string, versions: { version_id: string; percentage: number }[]): void {
    this.workers.get(name)?.deploy(versions);
  }
}
