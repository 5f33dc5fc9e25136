import { randomUUID } from 'node:crypto';
import type { FakeAccount } from './fake-account.ts';
import type { Annotations } from './fake-worker.ts';
import {
  ACCOUNT,
  EMPTY,
  json,
  list,
  notFound,
  type Reply,
  type Request,
  type Route,
} from './fake-reply.ts';

const SCRIPT = `${ACCOUNT}/workers/scripts/([^/]+)`;
/** https://developers.cloudflare.com/changelog/2025-09-11-increased-version-rollback-limit/ */
const SHOWN_VERSIONS = 100;
/** `force` does not help (https://github.com/cloudflare/workers-sdk/issues/3370). */
const STILL_CONSUMES = { code: 10064, message: 'script still in use as a consumer for a queue' };
const NO_WORKER = notFound(10007, 'This Worker does not exist on your account.');

type Metadata = {
  bindings?: { type: string; name: string; text?: string }[];
  annotations?: Annotations;
  keep_bindings?: string[];
};

const failure = (error: { code: number; message: string }): Reply => ({
  status: 400,
  errors: [error],
});

/** Stores the version of an upload and ignores the Worker's files. */
async function upload(account: FakeAccount, name: string, request: Request) {
  const form = await new Response(new Uint8Array(request.body), {
    headers: { 'content-type': request.type },
  }).formData();
  const field = form.get('metadata');
  const metadata: Metadata = JSON.parse(typeof field === 'string' ? field : '{}');
  const keeps = metadata.keep_bindings?.includes('secret_text') ?? false;
  return account.addVersion(name, metadata.bindings ?? [], metadata.annotations, keeps);
}

/** Wraps `reply` so that it only answers for a Worker that exists. */
const ofWorker =
  (
    reply: (
      worker: NonNullable<ReturnType<FakeAccount['workers']['get']>>,
      names: string[],
      request: Request,
    ) => Reply,
  ): Route[2] =>
  (account, names, request) => {
    const worker = account.workers.get(names[0] ?? '');
    return worker === undefined ? NO_WORKER : reply(worker, names, request);
  };

export const WORKER_ROUTES: Route[] = [
  [
    'GET',
    `${ACCOUNT}/workers/services/([^/]+)`,
    ofWorker((_worker, [name]) => ({
      result: {
        id: name,
        default_environment: {
          environment: 'production',
          script: { tag: 'tag', tags: [], last_deployed_from: 'wrangler' },
        },
      },
    })),
  ],
  [
    'GET',
    `${ACCOUNT}/workers/workers/([^/]+)`,
    ofWorker((worker, [name]) => ({
      result: { id: name, name, subdomain: { enabled: worker.isOnWorkersDev } },
    })),
  ],
  [
    'PUT',
    SCRIPT,
    async (account, [name = ''], request) => {
      const version = await upload(account, name, request);
      account.deploy(name, [{ version_id: version.id, percentage: 100 }]);
      return {
        result: {
          id: name,
          deployment_id: version.id,
          startup_time_ms: 1,
          available_on_subdomain: false,
        },
      };
    },
  ],
  [
    'POST',
    `${SCRIPT}/versions`,
    async (account, [name = ''], request) => {
      const { id, number } = await upload(account, name, request);
      return {
        result: {
          id,
          number,
          metadata: {},
          resources: { script: { etag: id, handlers: ['fetch'] }, script_runtime: {} },
          startup_time_ms: 1,
        },
      };
    },
  ],
  [
    'DELETE',
    SCRIPT,
    (account, [name = '']) => {
      if (account.consumersOf(name) > 0) return failure(STILL_CONSUMES);
      if (!account.workers.delete(name)) return NO_WORKER;
      // The platform detaches the Worker's custom domains with it.
      account.replaceDomains(name, []);
      return EMPTY;
    },
  ],
  [
    'GET',
    `${SCRIPT}/settings`,
    ofWorker((worker) => {
      const { live } = worker;
      return { result: { bindings: live?.bindings.filter(({ type }) => type !== 'assets') ?? [] } };
    }),
  ],
  [
    'GET',
    `${SCRIPT}/secrets`,
    ofWorker((worker) =>
      // The secrets of the newest version (https://github.com/cloudflare/workers-sdk/pull/5950).
      list(
        [...(worker.versions[0]?.secrets.keys() ?? [])].map((name) => ({
          name,
          type: 'secret_text',
        })),
      ),
    ),
  ],
  [
    'PUT',
    `${SCRIPT}/secrets`,
    (account, [name = ''], request) => {
      const worker = account.workers.get(name);
      if (worker === undefined) return NO_WORKER;
      const given: { name: string; text: string } = json(request);
      const refused = worker.putSecret(given.name, given.text);
      if (refused !== null) return failure(refused);
      return { result: { name: given.name, type: 'secret_text' } };
    },
  ],
  [
    'GET',
    `${SCRIPT}/versions`,
    ofWorker((worker) => ({
      result: {
        items: worker.versions
          .slice(0, SHOWN_VERSIONS)
          .map(({ id, number, created, annotations }) => ({
            id,
            number,
            metadata: { created_on: created },
            annotations,
          })),
      },
    })),
  ],
  [
    'GET',
    `${SCRIPT}/versions/([^/]+)`,
    ofWorker((worker, [, wanted]) => {
      const version = worker.versions.find(({ id }) => id === wanted);
      return version === undefined
        ? notFound(10021, 'no version')
        : {
            result: {
              id: wanted,
              number: version.number,
              metadata: { created_on: version.created },
              annotations: version.annotations,
              resources: {
                bindings: version.bindings,
                script: { etag: version.code, handlers: ['fetch'] },
                script_runtime: {},
              },
            },
          };
    }),
  ],
  [
    'GET',
    `${SCRIPT}/deployments`,
    ofWorker((worker) => ({ result: { deployments: worker.shownDeployments } })),
  ],
  [
    'POST',
    `${SCRIPT}/deployments`,
    ofWorker((worker, _names, request) => {
      const { versions, annotations } = json(request);
      const refused = worker.tryDeploy(
        versions,
        annotations,
        request.query.get('force') === 'true',
      );
      return refused === null ? { result: { id: randomUUID() } } : failure(refused);
    }),
  ],
  [
    'PATCH',
    `${ACCOUNT}/workers/workers/([^/]+)/versions/latest`,
    ofWorker((worker, _names, request) => {
      const { env }: { env: Record<string, { text: string }> } = json(request);
      const given = Object.entries(env).map(([name, { text }]) => [name, text]);
      const { id } = worker.patchLatest(Object.fromEntries(given));
      return { result: { id } };
    }),
  ],
  ['PATCH', `${SCRIPT}/script-settings`, () => ({ result: {} })],
  [
    'GET',
    `${SCRIPT}/schedules`,
    ofWorker((worker) => ({ result: { schedules: worker.schedules.map((cron) => ({ cron })) } })),
  ],
  [
    'PUT',
    `${SCRIPT}/schedules`,
    ofWorker((worker, _names, request) => {
      const given: { cron: string }[] = json(request);
      worker.schedules = given.map(({ cron }) => cron);
      return { result: { schedules: given } };
    }),
  ],
  [
    'GET',
    `${SCRIPT}/subdomain`,
    ofWorker((worker) => ({ result: { enabled: worker.isOnWorkersDev, previews_enabled: false } })),
  ],
  [
    'POST',
    `${SCRIPT}/subdomain`,
    ofWorker((worker, _names, request) => {
      worker.isOnWorkersDev = json(request).enabled;
      return { result: { enabled: worker.isOnWorkersDev, previews_enabled: false } };
    }),
  ],
  [
    'POST',
    `${SCRIPT}/assets-upload-session`,
    () => ({ result: { jwt: 'a-completion-token', buckets: [] } }),
  ],
  [
    'POST',
    `${SCRIPT}/domains/changeset`,
    () => ({ result: { added: [], removed: [], updated: [], conflicting: [] } }),
  ],
  [
    'PUT',
    `${SCRIPT}/domains/records`,
    (account, [name = ''], request) => {
      const { origins }: { origins: { hostname: string }[] } = json(request);
      account.replaceDomains(
        name,
        origins.map(({ hostname }) => hostname),
      );
      return { result: [] };
    },
  ],
];
