import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

type Binding = { type: string; name: string; text?: string; id?: string; [key: string]: unknown };
type Annotations = Record<string, string>;
type Version = {
  id: string;
  number: number;
  bindings: Binding[];
  created: string;
  annotations: Annotations;
};
export type FakeWorker = {
  versions: Version[];
  deployments: {
    id: string;
    created_on: string;
    annotations: Annotations;
    versions: { version_id: string; percentage: number }[];
  }[];
  secrets: Map<string, string>;
  schedules: string[];
  isOnWorkersDev: boolean;
};

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

  /**
   * Makes `hosts` the complete set of the Worker's custom domains, as an upload does: the others
   * lose their DNS record (https://github.com/kentcdodds/kody/pull/1015).
   */
  replaceDomains(name: string, hosts: readonly string[]): void {
    for (const [host, worker] of this.domains) if (worker === name) this.domains.delete(host);
    for (const host of hosts) this.domains.set(host, name);
  }

  database(name: string): DatabaseSync {
    for (const entry of this.databases.values()) if (entry.name === name) return entry.db;
    throw new Error(`The fake platform has no database ${name}`);
  }

  /**
   * Adds a version of the Worker from the upload's metadata, and stores the secrets among its
   * bindings.
   */
  addVersion(name: string, bindings: Binding[], annotations: Annotations = {}): Version {
    const worker: FakeWorker = this.workers.get(name) ?? {
      versions: [],
      deployments: [],
      secrets: new Map(),
      schedules: [],
      isOnWorkersDev: false,
    };
    this.workers.set(name, worker);
    for (const { type, name: secret, text } of bindings)
      if (type === 'secret_text' && text) worker.secrets.set(secret, text);
    const number = worker.versions.length + 1;
    const version = {
      id: randomUUID(),
      number,
      bindings,
      created: new Date(1_800_000_000_000 + number).toISOString(),
      annotations,
    };
    worker.versions.unshift(version);
    return version;
  }

  /**
   * Sets a secret as `wrangler secret put` does: in a version and a deployment of its own
   * (https://github.com/cloudflare/workers-sdk/pull/5950). Returns false if the newest version is
   * not deployed, which the platform refuses.
   */
  putSecret(name: string, secret: string, text: string): boolean {
    const worker = this.workers.get(name);
    const [newest] = worker?.versions ?? [];
    const live = worker?.deployments[0]?.versions ?? [];
    if (!live.some(({ version_id }) => version_id === newest?.id)) return false;
    const bindings = (newest?.bindings ?? []).filter((binding) => binding.name !== secret);
    const { id } = this.addVersion(name, [
      ...bindings,
      { type: 'secret_text', name: secret, text },
    ]);
    this.deploy(name, [{ version_id: id, percentage: 100 }]);
    return true;
  }

  deploy(
    name: string,
    versions: { version_id: string; percentage: number }[],
    annotations: Annotations = {},
  ): void {
    const worker = this.workers.get(name);
    worker?.deployments.unshift({
      id: randomUUID(),
      created_on: new Date(1_800_000_000_000 + worker.deployments.length * 1000).toISOString(),
      annotations,
      versions,
    });
  }
}
