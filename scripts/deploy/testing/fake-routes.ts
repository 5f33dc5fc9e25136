import { randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { FakeAccount } from './fake-account.ts';
import {
  ACCOUNT,
  FORBIDDEN,
  EMPTY,
  json,
  list,
  notFound,
  type Reply,
  type Request,
  type Route,
} from './fake-reply.ts';
import { KV_ROUTES } from './fake-kv-routes.ts';
import { R2_ROUTES } from './fake-r2-routes.ts';
import { WORKER_ROUTES } from './fake-worker-routes.ts';

const newId = (): string => randomBytes(16).toString('hex');

const ROUTES: Route[] = [
  ['GET', '/user', (a) => ({ result: { id: 'user', email: 'owner@example.com', account: a.id } })],
  ['GET', '/accounts', (a) => list([{ id: a.id, name: a.name }, ...a.others])],
  ['GET', '/memberships', (a) => list([{ id: 'm', account: { id: a.id, name: a.name } }])],
  [
    'GET',
    `${ACCOUNT}/subscriptions`,
    (a) =>
      a.plans === null
        ? FORBIDDEN
        : { result: a.plans.map((plan) => ({ rate_plan: { scope: 'account', ...plan } })) },
  ],
  [
    'GET',
    '/zones',
    (a, _, { query }) =>
      list(
        a.zones
          .filter(({ name }) => !query.has('name') || query.get('name') === name)
          .map(({ account: id, ...zone }) => Object.assign(zone, { account: { id } })),
        query,
      ),
  ],
  [
    'GET',
    '/zones/([^/]+)/dns_records',
    (a, _, { query }) => {
      if (!a.canReadDns) return FORBIDDEN;
      const host = query.get('name') ?? '';
      const [type, content] = a.dnsRecords.get(host)?.split(' ') ?? [];
      return list(content === undefined ? [] : [{ type, name: host, content }]);
    },
  ],
  ['GET', '/zones/([^/]+)/workers/routes', () => list([])],
  [
    'GET',
    '/zones/([^/]+)/email/sending/subdomains',
    (a) => (a.sendingDomains === null ? FORBIDDEN : list(a.sendingDomains)),
  ],

  [
    'GET',
    `${ACCOUNT}/d1/database`,
    (a, _, { query }) =>
      list(
        [...a.databases]
          .filter(([, { name }]) => !query.has('name') || name.includes(query.get('name') ?? ''))
          .map(([uuid, { name }]) => ({ uuid, name })),
        query,
      ),
  ],
  [
    'POST',
    `${ACCOUNT}/d1/database`,
    (a, _, request) => {
      if (a.databases.size >= a.databaseLimit) {
        const message = `System limit reached: databases per account (${a.databaseLimit})`;
        return { status: 400, errors: [{ code: 7406, message }] };
      }
      const uuid = randomUUID();
      const { name, ...place }: { name: string } = json(request);
      a.databases.set(uuid, { name, place, db: new DatabaseSync(':memory:') });
      return { result: { uuid, name } };
    },
  ],
  [
    'GET',
    `${ACCOUNT}/d1/database/([^/]+)`,
    (a, [uuid = '']) => ({ result: { uuid, name: a.databases.get(uuid)?.name } }),
  ],
  [
    'DELETE',
    `${ACCOUNT}/d1/database/([^/]+)`,
    (a, [uuid = '']) => ({ result: a.databases.delete(uuid) }),
  ],
  [
    'GET',
    `${ACCOUNT}/d1/database/([^/]+)/time_travel/bookmark`,
    () => ({ result: { bookmark: `00000001-${newId()}` } }),
  ],
  [
    'POST',
    `${ACCOUNT}/d1/database/([^/]+)/time_travel/restore`,
    (a, [uuid = '']) => {
      a.restored.push(a.databases.get(uuid)?.name ?? uuid);
      return { result: { bookmark: `00000002-${newId()}`, message: 'restored' } };
    },
  ],
  [
    'POST',
    `${ACCOUNT}/d1/database/([^/]+)/query`,
    (a, [uuid = ''], request) => runSql(a, uuid, json(request)),
  ],

  [
    'GET',
    `${ACCOUNT}/storage/kv/namespaces`,
    (a, _, { query }) =>
      list(
        [...a.namespaces].map(([id, title]) => ({ id, title })),
        query,
      ),
  ],
  [
    'POST',
    `${ACCOUNT}/storage/kv/namespaces`,
    (a, _, request) => {
      const id = newId();
      a.namespaces.set(id, json(request).title);
      return { result: { id } };
    },
  ],
  [
    'DELETE',
    `${ACCOUNT}/storage/kv/namespaces/([^/]+)`,
    (a, [id = '']) => ({ result: a.namespaces.delete(id) }),
  ],
  [
    'GET',
    `${ACCOUNT}/queues`,
    (a, _, { query }) =>
      list(
        [...a.queues]
          .filter(([, { name }]) => !query.has('name') || query.get('name') === name)
          .map(([queue_id, { name, consumers }]) => ({
            queue_id,
            queue_name: name,
            consumers,
            producers: [],
          })),
        query,
      ),
  ],
  [
    'POST',
    `${ACCOUNT}/queues`,
    (a, _, request) => {
      const queue_id = newId();
      a.queues.set(queue_id, { name: json(request).queue_name, consumers: [] });
      return { result: { queue_id } };
    },
  ],
  ['DELETE', `${ACCOUNT}/queues/([^/]+)`, (a, [id = '']) => ({ result: a.queues.delete(id) })],
  [
    'GET',
    `${ACCOUNT}/queues/([^/]+)/consumers`,
    (a, [id = '']) => list(a.queues.get(id)?.consumers ?? []),
  ],
  [
    'POST',
    `${ACCOUNT}/queues/([^/]+)/consumers`,
    (a, [id = ''], request) => {
      const given: Record<string, unknown> = json(request);
      const consumer = { consumer_id: newId(), script: given['script_name'], ...given };
      a.queues.get(id)?.consumers.push(consumer);
      return { result: consumer };
    },
  ],
  [
    'DELETE',
    `${ACCOUNT}/queues/([^/]+)/consumers/([^/]+)`,
    (a, [id = '', consumer = '']) => {
      const queue = a.queues.get(id);
      const at = queue?.consumers.findIndex(({ consumer_id }) => consumer_id === consumer) ?? -1;
      if (at === -1) return notFound(11001, 'no consumer');
      queue?.consumers.splice(at, 1);
      return { result: null };
    },
  ],
  [
    'PUT',
    `${ACCOUNT}/queues/([^/]+)/consumers/([^/]+)`,
    (a, [id = '', consumer = ''], request) => {
      const known = a.queues.get(id)?.consumers.find((one) => one['consumer_id'] === consumer);
      return { result: Object.assign(known ?? {}, json(request)) };
    },
  ],
  [
    'GET',
    `${ACCOUNT}/workers/subdomain`,
    (a) => (a.subdomain ? { result: { subdomain: a.subdomain } } : notFound(10007, 'no subdomain')),
  ],
  [
    'GET',
    `${ACCOUNT}/workers/domains`,
    (a) => list([...a.domains].map(([hostname, service]) => ({ id: hostname, hostname, service }))),
  ],
  [
    'DELETE',
    `${ACCOUNT}/workers/domains/([^/]+)`,
    (a, [host = '']) => (a.domains.delete(host) ? EMPTY : notFound(10007, 'no domain')),
  ],
];

type Statement = { sql: string; params?: string[] };

function runSql(
  account: FakeAccount,
  uuid: string,
  given: Statement | { batch: Statement[] },
): Reply {
  const db = account.databases.get(uuid)?.db;
  if (db === undefined) return notFound(7404, 'The database does not exist.');
  const statements = 'batch' in given ? given.batch : [given];
  try {
    db.exec('BEGIN');
    const result = statements.map(({ sql, params = [] }) => {
      if (account.failingSql !== null && sql.includes(account.failingSql))
        throw new Error('the statement was made to fail');
      const results =
        params.length > 0 || /^\s*(select|pragma)\b/i.test(sql)
          ? db.prepare(sql).all(...params)
          : [db.exec(sql)].slice(1);
      return { success: true, results: results ?? [], meta: { changes: 0, duration: 0 } };
    });
    db.exec('COMMIT');
    return { result };
  } catch (error) {
    db.exec('ROLLBACK');
    return {
      status: 400,
      errors: [{ code: 7500, message: error instanceof Error ? error.message : String(error) }],
    };
  }
}

/** Returns the fake's response, or null for an unknown request. */
export async function answer(account: FakeAccount, request: Request): Promise<Reply | null> {
  if (account.denied?.test(`${request.method} ${request.path}`)) return FORBIDDEN;
  for (const [method, path, reply] of [...ROUTES, ...KV_ROUTES, ...R2_ROUTES, ...WORKER_ROUTES]) {
    const match = method === request.method ? new RegExp(`^${path}$`).exec(request.path) : null;
    if (match) return await reply(account, match.slice(1).map(decodeURIComponent), request);
  }
  return null;
}
