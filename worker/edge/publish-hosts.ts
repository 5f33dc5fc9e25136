import { sql } from 'drizzle-orm';
import { jsonList, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { domains, host_outbox } from '#worker/db/schema-domains.ts';
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

export type HostStores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;

const PUT_TIMEOUT_MS = 5_000;
const HOSTS_PER_RUN = 50;
/** How often one call writes hosts that have changed while it wrote. The outbox covers the rest. */
const ROUNDS = 3;

/**
 * Triggers add hosts to the outbox whenever they or their domains change, whichever code does it.
 * This writes the current records of hosts from D1 to KV, and repeats for those that have changed
 * meanwhile. Removes hosts from the outbox after `SETTLE_MS`, because a write of an older record may
 * still arrive. Throws only if D1 fails.
 */
export async function publishHosts(
  env: HostStores,
  hosts: readonly string[],
  now: number,
): Promise<{ published: number; left: number }> {
  const db = openDb(env.DB);
  const written = new Map<string, string>();
  let left: readonly string[] = hosts;
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const records = await readRecords(db, left);
    const failed: string[] = [];
    for (const [host, record] of records) {
      const text = JSON.stringify(record);
      if (written.get(host) === text) continue;
      if (await put(env, host, record, text)) written.set(host, text);
      else failed.push(host);
    }
    if (failed.length > 0) {
      left = failed;
      break;
    }
    const current = await readRecords(db, left);
    left = left.filter((host) => written.get(host) !== JSON.stringify(current.get(host)));
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
  env: HostStores,
  hosts: readonly string[],
  now: number,
): Promise<void> {
  await publishHosts(env, hosts, now).catch(() => undefined);
}

/** Publishes hosts of the outbox; every change at least once more after `SETTLE_MS`. */
export async function drainHostOutbox(
  env: HostStores,
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

async function put(
  env: HostStores,
  host: string,
  record: HostRecord,
  text: string,
): Promise<boolean> {
  hostMemory.update(host, record);
  try {
    await withTimeout(PUT_TIMEOUT_MS, env.LINKS.put(hostKey(env.LINKS_EPOCH, host), text));
    return true;
  } catch {
    return false;
  }
}

/** The rows of those hosts that lead to a domain. */
export const readHostRows = (db: Db, hosts: readonly string[]): Promise<HostRow[]> =>
  db.all<HostRow>(sql`with hosts (host) as ${jsonList(hosts)} ${sql.raw(HOST_ROWS)}`);

/**
 * A host without a domain gets a tombstone, because an older record could arrive late. Its version
 * is at least that of the domain that had the host.
 */
async function readRecords(db: Db, hosts: readonly string[]): Promise<Map<string, HostRecord>> {
  const rows = await readHostRows(db, hosts);
  const records = new Map(rows.map((row) => [row.host, toHostRecord(row)]));
  const gone = hosts.filter((host) => !records.has(host));
  if (gone.length === 0) return records;
  const last = await db.all<{ host: string; version: number }>(
    sql`select name as host, max(version) as version from ${domains}
      where name in ${jsonList(gone)} group by name`,
  );
  const versions = new Map(last.map(({ host, version }) => [host, version]));
  for (const host of gone) records.set(host, { v: versions.get(host) ?? 0, d: '', s: 'x' });
  return records;
}
