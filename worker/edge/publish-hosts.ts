import { sql, type SQL } from 'drizzle-orm';
import { jsonList, runBatch, type Statement } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { domain_hosts, domains, host_outbox } from '#worker/db/schema-domains.ts';
import { hostMemory } from '#worker/redirect/host-memory.ts';
import {
  HOST_ROWS,
  hostKey,
  toHostRecord,
  type HostRecord,
  type HostRow,
} from '#worker/redirect/host-record.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { SETTLE_MS } from './publish.ts';

type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;

const PUT_TIMEOUT_MS = 5_000;
const HOSTS_PER_RUN = 50;
/** How often one call writes again what has changed while it wrote. The outbox covers the rest. */
const ROUNDS = 3;

/**
 * SQL for the version of a domain after a change, a time in ms: a host that leads to another domain
 * later needs a higher version there, too. Adding or removing a host is a change of its domain.
 */
export const nextDomainVersion = (now: number): SQL => sql`max(${domains}.version + 1, ${now})`;

/**
 * Returns the statement that adds hosts to the outbox, for the end of the batch that changes them or
 * their domain. `hosts` is a query of one column. Call `publishHosts` after the batch.
 */
export const queueHosts = (hosts: SQL, now: number): Statement =>
  sql`insert into ${host_outbox} (host, queued_at) select *, ${now} from (${hosts}) where true
    on conflict (host) do update set queued_at = excluded.queued_at`;

/** Query of the hosts of a domain. */
export const hostsOfDomain = (id: SQL | string): SQL =>
  sql`select host from ${domain_hosts} where domain_id = ${id}`;

/**
 * Writes the current records of hosts from D1 to KV, and repeats for those that have changed
 * meanwhile. Removes hosts from the outbox after `SETTLE_MS`, because a write of an older record may
 * still arrive. Throws only if D1 fails.
 */
export async function publishHosts(
  env: Stores,
  hosts: readonly string[],
  now: number,
): Promise<{ published: number; left: number }> {
  const db = openDb(env.DB);
  const written = new Map<string, string>();
  let left: readonly string[] = hosts;
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const records = await readRecords(db, left, now);
    const failed: string[] = [];
    for (const [host, record] of records) {
      const text = JSON.stringify(record);
      // A tombstone has the time as its version.
      const identity = record.s === 'x' ? 'x' : text;
      if (written.get(host) === identity) continue;
      if (await put(env, host, record, text)) written.set(host, identity);
      else failed.push(host);
    }
    if (failed.length > 0) {
      left = failed;
      break;
    }
    const current = await readRecords(db, left, now);
    left = left.filter((host) => {
      const record = current.get(host);
      const identity = record?.s === 'x' ? 'x' : JSON.stringify(record);
      return written.get(host) !== identity;
    });
  }
  const unsettled = new Set(left);
  const done = [...written.keys()].filter((host) => !unsettled.has(host));
  await runBatch(db, [
    sql`delete from ${host_outbox} where queued_at <= ${now - SETTLE_MS} and host in ${jsonList(done)}`,
  ]);
  return { published: written.size, left: left.length };
}

/** Publishes in `waitUntil`. Never rejects, because the outbox has the hosts. */
export async function publishHostsLater(
  env: Stores,
  hosts: readonly string[],
  now: number,
): Promise<void> {
  await publishHosts(env, hosts, now).catch(() => undefined);
}

/** Publishes hosts of the outbox; every change at least once more after `SETTLE_MS`. */
export async function drainHostOutbox(
  env: Stores,
  now: number,
): Promise<{ published: number; left: number }> {
  const db = openDb(env.DB);
  const due = await db.all<{ host: string }>(
    sql`select host from ${host_outbox} order by queued_at limit ${HOSTS_PER_RUN}`,
  );
  return due.length === 0
    ? { published: 0, left: 0 }
    : publishHosts(
        env,
        due.map(({ host }) => host),
        now,
      );
}

async function put(env: Stores, host: string, record: HostRecord, text: string): Promise<boolean> {
  hostMemory.update(host, record);
  try {
    await withTimeout(PUT_TIMEOUT_MS, env.LINKS.put(hostKey(env.LINKS_EPOCH, host), text));
    return true;
  } catch {
    return false;
  }
}

/** A host without a domain gets a tombstone, because an older record could arrive late. */
async function readRecords(
  db: Db,
  hosts: readonly string[],
  now: number,
): Promise<Map<string, HostRecord>> {
  const rows = await db.all<HostRow>(
    sql`with hosts (host) as ${jsonList(hosts)} ${sql.raw(HOST_ROWS)}`,
  );
  const gone: HostRecord = { v: now, d: '', s: 'x' };
  const found = new Map(rows.map((row) => [row.host, toHostRecord(row)]));
  return new Map(hosts.map((host) => [host, found.get(host) ?? gone]));
}
