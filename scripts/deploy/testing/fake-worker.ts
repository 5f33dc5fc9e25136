import { randomUUID } from 'node:crypto';

export type Binding = {
  type: string;
  name: string;
  text?: string;
  id?: string;
  [key: string]: unknown;
};
export type Annotations = Partial<
  Record<'workers/message' | 'workers/tag' | 'workers/triggered_by', string>
>;
type Split = { version_id: string; percentage: number }[];
type Failure = { code: number; message: string };

/** A version is immutable: code, bindings and secrets together. */
export type FakeVersion = {
  id: string;
  number: number;
  bindings: Binding[];
  secrets: Map<string, string>;
  /** The upload whose code the version has. */
  code: string;
  created: string;
  annotations: Annotations;
};

/** The platform lists this many (https://github.com/cloudflare/cloudflare-docs/pull/7492). */
const SHOWN_DEPLOYMENTS = 10;

const LATEST_NOT_DEPLOYED: Failure = {
  code: 10215,
  message: 'Secret edit failed. The latest version of your Worker isn’t currently deployed.',
};

/**
 * No version from before a class of Durable Objects can be deployed
 * (https://developers.cloudflare.com/workers/versions-and-deployments/gradual-deployments/with-durable-objects/).
 */
const NO_CLASS: Failure = {
  code: 10064,
  message: 'New version of script does not export a class on which Durable Objects depend.',
};

/** A Worker with its versions, newest first, and its deployments, newest first. */
export class FakeWorker {
  readonly versions: FakeVersion[] = [];
  readonly deployments: {
    id: string;
    created_on: string;
    versions: Split;
    annotations: Annotations;
  }[] = [];
  /** The classes of Durable Objects of all versions that were deployed. */
  readonly classes = new Set<string>();
  schedules: string[] = [];
  isOnWorkersDev = false;

  /** The version that answers most requests. */
  get live(): FakeVersion | undefined {
    const [most] = (this.deployments[0]?.versions ?? []).toSorted(
      (a, b) => b.percentage - a.percentage,
    );
    return this.versions.find(({ id }) => id === most?.version_id);
  }

  /** The secrets of the live version, or of the newest one while none is deployed. */
  get secrets(): Map<string, string> {
    return (this.live ?? this.versions[0])?.secrets ?? new Map();
  }

  get shownDeployments() {
    return this.deployments.slice(0, SHOWN_DEPLOYMENTS);
  }

  /**
   * With `keep_bindings`, an upload has the secrets of the newest version, whichever is deployed
   * (https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/).
   */
  upload(
    bindings: Binding[],
    {
      annotations = {},
      keepsSecrets,
    }: { annotations?: Annotations | undefined; keepsSecrets: boolean },
  ): FakeVersion {
    const secrets = new Map(keepsSecrets ? this.versions[0]?.secrets : []);
    for (const { type, name, text } of bindings)
      if (type === 'secret_text' && text) secrets.set(name, text);
    const id = randomUUID();
    return this.#add({ id, bindings, secrets, code: id, annotations });
  }

  /**
   * `wrangler secret put`: a version and a deployment of its own
   * (https://github.com/cloudflare/workers-sdk/issues/4459), refused while the newest version does
   * not answer all requests (https://github.com/cloudflare/workers-sdk/issues/10585).
   */
  putSecret(name: string, text: string): Failure | null {
    const [newest] = this.versions;
    const [deployed] = this.deployments[0]?.versions ?? [];
    if (deployed?.version_id !== newest?.id || deployed?.percentage !== 100)
      return LATEST_NOT_DEPLOYED;
    const { id } = this.patchLatest({ [name]: text });
    this.deploy([{ version_id: id, percentage: 100 }], { 'workers/triggered_by': 'secret' });
    return null;
  }

  /**
   * `wrangler versions secret put`: a copy of the newest version, even if an older one is deployed
   * (https://github.com/cloudflare/workers-sdk/pull/5950). It is not deployed.
   */
  patchLatest(given: Record<string, string>): FakeVersion {
    const [newest] = this.versions;
    return this.#add({
      id: randomUUID(),
      bindings: newest?.bindings ?? [],
      secrets: new Map([...(newest?.secrets ?? []), ...Object.entries(given)]),
      code: newest?.code ?? '',
      annotations: { 'workers/triggered_by': 'secret' },
    });
  }

  deploy(versions: Split, annotations: Annotations = {}): void {
    for (const { version_id } of versions)
      for (const name of this.#classesOf(version_id)) this.classes.add(name);
    this.deployments.unshift({
      id: randomUUID(),
      created_on: new Date(1_800_000_000_000 + this.deployments.length * 1000).toISOString(),
      versions,
      annotations,
    });
  }

  /**
   * A deployment of a version with other secrets has to be forced
   * (https://github.com/cloudflare/workers-sdk/pull/5950).
   */
  tryDeploy(versions: Split, annotations: Annotations, isForced: boolean): Failure | null {
    const found = this.versions.find(({ id }) => id === versions[0]?.version_id);
    if (found === undefined) return { code: 10021, message: 'The version does not exist.' };
    const classes = this.#classesOf(found.id);
    if ([...this.classes].some((name) => !classes.includes(name))) return NO_CLASS;
    const names = new Set([...this.secrets.keys(), ...found.secrets.keys()]);
    const changed = [...names].filter((name) => this.secrets.get(name) !== found.secrets.get(name));
    const isOlder = found.number < (this.live?.number ?? 0);
    if (isOlder && changed.length > 0 && !isForced)
      return {
        code: 10220,
        message: `The Worker’s secrets differ. The following secrets have changed: ${changed.join(', ')}`,
      };
    this.deploy(versions, annotations);
    return null;
  }

  #classesOf(id: string): string[] {
    const bindings = this.versions.find((version) => version.id === id)?.bindings ?? [];
    return bindings.flatMap(({ class_name }) => (typeof class_name === 'string' ? class_name : []));
  }

  #add(version: Omit<FakeVersion, 'number' | 'created'>): FakeVersion {
    const number = this.versions.length + 1;
    const created = new Date(1_800_000_000_000 + number).toISOString();
    const added = { ...version, number, created };
    this.versions.unshift(added);
    return added;
  }
}
