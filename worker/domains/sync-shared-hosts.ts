import { sql } from 'drizzle-orm';
import type { DomainId } from '#contract/codes/domain-key.ts';
import { jsonList, jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { domain_hosts, domains } from '#worker/db/schema-domains.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import { publishHosts } from '#worker/edge/publish-hosts.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { newDomainId } from './domain-id.ts';

/**
 * Gives every host of SHORT_HOSTS a domain of the operator, and takes the host from domains of the
 * operator that it no longer names. A domain keeps its id and its links, and gets its host back when
 * SHORT_HOSTS names it again. A host that a member has proven stays theirs. Returns how many hosts
 * have changed; usually it only reads a few rows.
 */
export async function syncSharedHosts(env: Env, now: number): Promise<number> {
  const db = openDb(env.DB);
  const { shared } = configuredDomains(env);
  const rows = await readHosts(db, [...shared]);
  const known = new Map(rows.map((row) => [row.host, row]));
  const added = [...shared].filter((host) => known.get(host)?.isHeld !== 1);
  const removed = rows.filter(({ host, isShared }) => isShared === 1 && !shared.has(host));
  const changed = [...added, ...removed.map(({ host }) => host)];
  if (changed.length === 0) return 0;
  const given = added.map((host) => {
    const id = known.get(host)?.id ?? null;
    return { host, id: id ?? newDomainId(cryptoRandom, true), isNew: id === null ? 1 : 0 };
  });
  const item = sql`${jsonRows(['host', 'id', 'isNew'], given)} as item`;
  const gone = jsonList(removed.map(({ host }) => host));
  await runBatch(db, [
    sql`insert or ignore into ${domains} (id, owner_id, name, version, created_at)
      select item.id, '', item.host, 1, ${now} from ${item} where item.isNew = 1
        and not exists (select 1 from ${domains} as other where other.owner_id = '' and other.name = item.host)`,
    sql`insert or ignore into ${domain_hosts} (host, domain_id, active_at, created_at)
      select item.host, item.id, ${now}, ${now} from ${item}
      where exists (select 1 from ${domains} as owned where owned.id = item.id)`,
    sql`update ${domains} set version = 1 + (select max(version) from ${domains} as other where other.name = ${domains}.name)
      where owner_id = '' and id in (select domain_id from ${domain_hosts} where host in ${jsonList(changed)})`,
    sql`delete from ${domain_hosts} where host in ${gone}
      and exists (select 1 from ${domains} where id = domain_id and owner_id = '')`,
  ]);
  await publishHosts(env, changed, now);
  return changed.length;
}

/** The job that notices a change of SHORT_HOSTS. */
export async function keepSharedHosts(env: Env, now: number): Promise<JobResult> {
  const changed = await syncSharedHosts(env, now);
  return { done: { hosts_changed: changed } };
}

type Row = { host: string; id: DomainId | null; isShared: 0 | 1; isHeld: 0 | 1 };

/**
 * The hosts of the operator's domains and these hosts. `id` is a domain of the operator with the
 * name of the host; `isHeld` is 1 if the host leads to a domain.
 */
const readHosts = (db: Db, hosts: readonly string[]): Promise<Row[]> =>
  db.all<Row>(sql`select host, max(id) as id, max(isShared) as isShared, max(isHeld) as isHeld from (
    select name as host, id, 0 as isShared, 0 as isHeld from ${domains}
      where owner_id = '' and name in ${jsonList(hosts)} and status <> 'deleted'
    union all select h.host, null, d.owner_id = '', 1 from ${domain_hosts} as h
      cross join ${domains} as d on d.id = h.domain_id where d.owner_id = '' or h.host in ${jsonList(hosts)})
    group by host`);
