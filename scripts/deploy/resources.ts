import { explainR2 } from './access.ts';
import { DeployError } from './environment.ts';
import { PlatformError, type Account } from './platform.ts';
import type { Resource } from './worker-config.ts';

export const WHAT_IT_IS: Record<Resource['kind'], string> = {
  d1: 'D1 database',
  kv: 'KV namespace',
  queue: 'queue',
  r2: 'R2 bucket',
};

/** The API path of each kind of resource, below the account's path. */
const PATHS: Record<Resource['kind'], string> = {
  d1: '/d1/database',
  kv: '/storage/kv/namespaces',
  queue: '/queues',
  r2: '/r2/buckets',
};

type Listed = {
  uuid?: string;
  id?: string;
  queue_id?: string;
  name?: string;
  title?: string;
  queue_name?: string;
};
const idOf = (listed: Listed): string | undefined => listed.uuid ?? listed.id ?? listed.queue_id;
const nameOf = (listed: Listed): string | undefined =>
  listed.name ?? listed.title ?? listed.queue_name;

export const keyOf = ({ kind, name }: Resource): string => `${kind} ${name}`;

export async function findResources(
  account: Account,
  resources: readonly Resource[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const kind of new Set(resources.map((resource) => resource.kind))) {
    const wanted = resources.filter((resource) => resource.kind === kind);
    // Buckets are listed with a cursor. There are few, so each is requested by name.
    const listed =
      kind === 'r2' ? await findBuckets(account, wanted) : await account.list<Listed>(PATHS[kind]);
    for (const resource of wanted) {
      const found = listed.find((one) => nameOf(one) === resource.name);
      const id = found && idOf(found);
      if (id !== undefined) ids.set(keyOf(resource), id);
    }
  }
  return ids;
}

async function findBuckets(account: Account, wanted: readonly Resource[]): Promise<Listed[]> {
  const found = await Promise.all(
    wanted.map((resource) =>
      account.readOrNull<Listed>(`${PATHS.r2}/${resource.name}`, bucketHeaders(resource)),
    ),
  );
  return wanted.flatMap(({ name }, at) => (found[at] === null ? [] : [{ id: name, name }]));
}

/**
 * A bucket of a jurisdiction exists only for requests that name it
 * (https://developers.cloudflare.com/r2/reference/data-location/).
 */
export const bucketHeaders = ({ kind, jurisdiction }: Resource): Record<string, string> =>
  kind === 'r2' && jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {};

export async function createResource(account: Account, resource: Resource): Promise<string> {
  const { kind, name, jurisdiction, location } = resource;
  const body = {
    d1: { name, jurisdiction, ...(!jurisdiction && { primary_location_hint: location }) },
    kv: { title: name },
    queue: { queue_name: name },
    r2: { name, ...(!jurisdiction && { locationHint: location }) },
  }[kind];
  try {
    const created = await explainR2(
      account.write<Listed>('POST', PATHS[kind], body, bucketHeaders(resource)),
    );
    return kind === 'r2' ? name : (idOf(created) ?? '');
  } catch (error) {
    throw error instanceof PlatformError && error.code === TOO_MANY_DATABASES
      ? new DeployError(DELETE_A_DATABASE)
      : error;
  }
}

const TOO_MANY_DATABASES = 7406;
const DELETE_A_DATABASE =
  'The account has as many D1 databases as its plan allows. Delete one that nobody needs (`npx wrangler d1 list`), or upgrade the plan. Then run the command again.';

type Domain = { id: string; hostname: string; service: string };

export async function attachedDomains(account: Account, workerName: string): Promise<Domain[]> {
  const domains = await account.list<Domain>(`/workers/domains?service=${workerName}`);
  return domains.filter(({ service }) => service === workerName);
}

type Queue = {
  queue_id: string;
  consumers?: { consumer_id: string; script?: string; service?: string }[];
};

/** Returns the paths of a Worker’s registrations as a consumer, in any queue of the account. */
export async function consumersOf(account: Account, workerName: string): Promise<string[]> {
  const queues = await account.list<Queue>(PATHS.queue);
  return queues.flatMap(({ queue_id, consumers = [] }) =>
    consumers
      .filter(({ script, service }) => (script ?? service) === workerName)
      .map(({ consumer_id }) => `${PATHS.queue}/${queue_id}/consumers/${consumer_id}`),
  );
}

/** Deletes a resource. Returns false for a bucket with objects, which the platform keeps. */
export async function deleteResource(
  account: Account,
  resource: Resource,
  id: string,
): Promise<boolean> {
  try {
    await account.write(
      'DELETE',
      `${PATHS[resource.kind]}/${id}`,
      undefined,
      bucketHeaders(resource),
    );
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.status === 404) return true;
    if (resource.kind === 'r2' && error.status === 409) return false;
    throw error;
  }
}
