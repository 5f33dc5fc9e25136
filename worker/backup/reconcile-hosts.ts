import { sql } from 'drizzle-orm';
import { jsonList, jsonRows, runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { domain_hosts, domain_removals, domains } from '#worker/db/schema-domains.ts';
import { publishHosts, readHostRows, type HostStores } from '#worker/edge/publish-hosts.ts';
import {
  decodeHostRecord,
  hostKey,
  toHostRecord,
  type HostRecord,
} from '#worker/redirect/host-record.ts';
import { readValues } from './read-values.ts';

/**
 * Makes the records of hosts in KV match a restored database. A record that is newer than its row
 * shows what was decided after the copy: a member's host that led to another domain or to none by
 * then leads to none now, until its owner proves it again, and a suspended domain stays suspended.
 * A domain that the copy lacks gets a row again, without its owner, above which the versions of its
 * name continue. Returns how many hosts and domains that changed.
 */
export async function reconcileHosts(env: HostStores, db: Db, now: number): Promise<number> {
  let changes = 0;
  for await (const values of readValues(env, hostKey(env.LINKS_EPOCH, ''))) {
    const records = values.flatMap(({ name, text }) => {
      const record = decodeHostRecord(text ?? '');
      return record === null ? [] : [{ host: name, record }];
    });
    changes += await reconcile(env, db, records, now);
  }
  return changes;
}

async function reconcile(
  env: HostStores,
  db: Db,
  found: readonly { host: string; record: HostRecord }[],
  now: number,
): Promise<number> {
  const rows = await readHostRows(
    db,
    found.map(({ host }) => host),
  );
  const rowOf = new Map(rows.map((row) => [row.host, row]));
  const different = found.filter(({ host, record }) => {
    const row = rowOf.get(host);
    return row === undefined
      ? record.s !== 'x'
      : JSON.stringify(record) !== JSON.stringify(toHostRecord(row));
  });
  const known = different.flatMap(({ host, record }) => {
    const row = rowOf.get(host);
    return row === undefined ? [] : [{ host, record, row }];
  });
  const newer = known.filter(({ record, row }) => record.v > row.version);
  const lost = newer.filter(({ record, row }) => record.d !== row.domain_id && row.owner_id !== '');
  const suspended = newer.filter(
    ({ record, row }) => record.d === row.domain_id && record.s === 's' && row.status === 'active',
  );
  const versions = known.map(({ record, row }) => ({
    id: row.domain_id,
    v: Math.max(record.v, row.version) + 1,
  }));
  const unknown = different
    .filter(({ host, record }) => !rowOf.has(host) && record.s !== 'x')
    .map(({ host, record: { d, s, o, v } }) => ({
      id: d,
      name: host,
      owner: o === undefined ? 'deleted' : '',
      status: s === 's' ? 'suspended' : o === undefined ? 'deleted' : 'active',
      v: v + 1,
    }));
  const gone = jsonList(lost.map(({ host }) => host));
  await runBatch(db, [
    sql`update ${domains} set version = item.v from ${jsonRows(['id', 'v'], versions)} as item
      where ${domains}.id = item.id and version < item.v`,
    sql`insert into ${domains} (id, owner_id, name, status, version, created_at)
      select item.id, item.owner, item.name, item.status, item.v, ${now}
      from ${jsonRows(['id', 'name', 'owner', 'status', 'v'], unknown)} as item where true
      on conflict (id) do update set version = max(version, excluded.version),
        status = iif(status = 'active' and excluded.status = 'suspended', 'suspended', status)`,
    sql`update ${domains} set status = 'suspended' where status = 'active'
      and id in ${jsonList(suspended.map(({ row }) => row.domain_id))}`,
    sql`insert or ignore into ${domain_removals} (saas_id, host, next_try_at)
      select saas_id, host, ${now} from ${domain_hosts} where saas_id <> '' and host in ${gone}`,
    sql`delete from ${domain_hosts} where host in ${gone}`,
  ]);
  const names = different.map(({ host }) => host);
  if (names.length > 0) await publishHosts(env, names, now);
  return lost.length + suspended.length;
}
