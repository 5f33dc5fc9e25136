import { get } from 'node:http';
import { executeLocally, putLocally } from './local-stores.ts';

/** A domain with a link. Its host and the key of the link are unknown to an earlier release. */
const DOMAIN = 'd.example999';
const HOST = 'go.acme.example';
const KEY = `${DOMAIN}/on-a-domain`;
const TARGET = 'https://on-a-domain.example/';
/** A link with the same code on the deployment's own short host. */
const OWN = 'on-a-domain';

/** Writes a domain and its link to the local database and to KV, as this release stores them. */
export async function writeDomainLinks(state: string): Promise<void> {
  const columns = 'code, target, target_host, created_at, updated_at';
  await executeLocally(state, [
    `insert into domains (id, owner_id, name, created_at) values ('${DOMAIN}', 'somebody', '${HOST}', 1)`,
    `insert into domain_hosts (host, domain_id, proven_at, active_at, created_at) values ('${HOST}', '${DOMAIN}', 1, 1, 1)`,
    `insert into links (id, ${columns}) values (9600, '${KEY}', '${TARGET}', 'on-a-domain.example', 1, 1)`,
    `insert into links (id, ${columns}) values (9601, '${OWN}', 'https://own.example/', 'own.example', 1, 1)`,
  ]);
  await putLocally(state, [
    { key: KEY, value: JSON.stringify({ v: 1, i: 9600, s: 'a', u: TARGET, e: 0 }) },
    { key: `host:${HOST}`, value: JSON.stringify({ v: 1, d: DOMAIN, s: 'a' }) },
  ]);
}

/** `fetch` does not send another Host. */
const statusOn = (origin: string, path: string, host: string): Promise<number> =>
  new Promise((done, fail) => {
    get(`${origin}${path}`, { headers: { Host: host } }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    }).on('error', fail);
  });

/**
 * Returns a line for each request that an earlier release does not refuse: on a host that it does
 * not know, and for the key of a link on a domain as a path on its own host.
 */
export async function findCrossed(origin: string): Promise<string[]> {
  const { host } = new URL(origin);
  const expected = [
    ['/on-a-domain', HOST, 421],
    [`/${KEY}`, HOST, 421],
    [`/${KEY}`, host, 404],
    [`/${KEY}+`, host, 404],
    [`/${OWN}`, host, 302],
  ] as const;
  const lines: string[] = [];
  for (const [path, on, wanted] of expected) {
    const status = await statusOn(origin, path, on);
    if (status !== wanted) lines.push(`${on}${path} answers ${status}, not ${wanted}`);
  }
  return lines;
}
