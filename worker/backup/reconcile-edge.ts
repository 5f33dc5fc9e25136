import { sql } from 'drizzle-orm';
import { isLinkKey } from '#contract/codes/domain-key.ts';
import { jsonList, jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { hasKey, hasOneKey, link_outbox, links } from '#worker/db/schema-links.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import {
  decodeEdgeRecord,
  EDGE_RECORD_COLUMNS,
  edgeKey,
  encodeEdgeRecord,
  LOST_REASON,
  toEdgeRecord,
  type EdgeRecord,
  type EdgeRecordRow,
} from '#worker/redirect/edge-record.ts';
import { readSequences } from './backup-tables.ts';
import { raiseLinkIdMark, readLinkIdMark, writeLinkIdMark } from './copies.ts';
import { readValues } from './read-values.ts';
import { endSignIns } from './end-sign-ins.ts';
import { reconcileHosts } from './reconcile-hosts.ts';

export type EdgeStores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH' | 'BACKUPS'>;

/**
 * `lost`: codes that answer 404 from now on. `changed`: links whose edge record differed.
 * `stopped`: the changed links that stay disabled or deleted. `hosts`: hosts that lead to no domain,
 * or to a suspended one, as they did after the copy.
 */
export type Reconciled = { lost: number; changed: number; stopped: number; hosts: number };

const IDS_PER_STEP = 20_000;
const LINKS_PER_STEP = 500;
/** The id sequence is raised by this much if there is no mark. */
const UNKNOWN_IDS = 1_000_000;

/**
 * The codes that are in use without a row in the restored database. They are a table, because there
 * may be millions.
 */
const CODES = sql.raw('restore_codes');

const createCodes = (db: Db) =>
  db.run(
    sql`create table if not exists ${CODES} (code text primary key not null, version integer not null) without rowid`,
  );

/** Stores the codes of the database before its rows are replaced. */
export async function rememberCodes(db: Db): Promise<void> {
  await createCodes(db);
  const [row] = await db.all<{ id: number | null }>(sql`select max(id) as id from ${links}`);
  for (let from = 0; from < (row?.id ?? 0); from += IDS_PER_STEP)
    await db.run(sql`insert or ignore into ${CODES} select code, version from ${links}
      where id > ${from} and id <= ${from + IDS_PER_STEP} and released_at is null`);
}

/**
 * Raises the id sequence of links above every id that has been assigned, for a database restored to
 * an earlier time.
 */
export async function raiseLinkIds(
  env: Pick<Env, 'DB' | 'BACKUPS'>,
  atLeast: number,
): Promise<void> {
  const db = openDb(env.DB);
  const mark = await readLinkIdMark(env);
  const { links: seq = 0 } = await readSequences(db);
  const raised = Math.max(mark, seq, atLeast) + (mark === 0 ? UNKNOWN_IDS : 0);
  await setLinkSequence(db, raised);
  await writeLinkIdMark(env, raised);
}

async function setLinkSequence(db: Db, seq: number): Promise<void> {
  await runBatch(db, [
    sql`insert into sqlite_sequence (name, seq) select 'links', 0 where not exists (select 1 from sqlite_sequence where name = 'links')`,
    sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = 'links'`,
  ]);
}

/**
 * Reconciles a database that the platform has restored to an earlier time. Everybody signs in again,
 * and open requests end. Otherwise it writes only the tables of links and of hosts.
 */
export async function reconcilePlatformCopy(
  env: EdgeStores,
  options: { reopen: boolean },
  now: number,
): Promise<Reconciled> {
  await endSignIns(openDb(env.DB));
  await raiseLinkIds(env, 0);
  return reconcileEdge(env, options, now);
}

/**
 * Makes KV match a restored database. Codes that KV or the replaced database knew, and the restored
 * one does not, get tombstones. Links whose record is newer than their row get a higher version, so
 * that their row is published. Links that were disabled or deleted after the copy redirect again
 * with `reopen`, and otherwise stay stopped.
 */
export async function reconcileEdge(
  env: EdgeStores,
  { reopen }: { reopen: boolean },
  now: number,
): Promise<Reconciled> {
  const db = openDb(env.DB);
  await createCodes(db);
  const result: Reconciled = { lost: 0, changed: 0, stopped: 0, hosts: 0 };
  let highestId = 0;
  for await (const records of readRecords(env)) {
    for (const { record } of records) highestId = Math.max(highestId, record?.i ?? 0);
    const { changed, stopped } = await reconcile(db, records, reopen, now);
    result.changed += changed;
    result.stopped += stopped;
  }
  await setLinkSequence(db, highestId);
  result.lost = await insertTombstones(db, now);
  await publishOutbox(env, db, now);
  result.hosts = await reconcileHosts(env, db, now);
  await raiseLinkIdMark(env);
  await db.run(sql`drop table ${CODES}`);
  return result;
}

/** `record` is null for a value that is not an edge record. */
type Found = { code: string; record: EdgeRecord | null };

async function* readRecords(env: EdgeStores): AsyncGenerator<Found[]> {
  const prefix = env.LINKS_EPOCH === '' ? '' : edgeKey(env.LINKS_EPOCH, '');
  for await (const values of readValues(env, prefix, isLinkKey))
    yield values.map(({ name, text }) => ({
      code: name,
      record: text === null ? null : decodeEdgeRecord(text),
    }));
}

type Row = EdgeRecordRow & { code: string };

async function reconcile(
  db: Db,
  found: Found[],
  reopen: boolean,
  now: number,
): Promise<{ changed: number; stopped: number }> {
  const codes = jsonList(found.map(({ code }) => code));
  const rows = await db.all<Row>(sql`select named.code, ${sql.raw(EDGE_RECORD_COLUMNS)} from (
      select code, coalesce(earlier_code_of, id) as link_id from ${links} where ${hasOneKey(codes)}) as named
    cross join ${links} on ${links}.id = named.link_id`);
  const rowOf = new Map(rows.map((row) => [row.code, row]));
  const unknown: { code: string; version: number }[] = [];
  // A renamed link has a record for each of its codes.
  const changes = new Map<number, { id: number; v: number; s: string; r: string | null }>();
  for (const { code, record } of found) {
    const row = rowOf.get(code);
    if (row === undefined) unknown.push({ code, version: record?.v ?? 0 });
    else if (record === null || encodeEdgeRecord(record) !== encodeEdgeRecord(toEdgeRecord(row))) {
      const own = toEdgeRecord(row);
      // A hold that the restore has placed matches the record, and knows its own kind.
      const isKnown = record?.s === own.s && record.r === own.r;
      const isStopped =
        !reopen &&
        !isKnown &&
        record !== null &&
        record.i === row.id &&
        record.s !== 'a' &&
        record.v > row.version &&
        row.status !== 'deleted';
      const s = !isStopped ? '' : record.s === 'x' ? 'deleted' : 'disabled';
      const other = changes.get(row.id);
      const v = Math.max(record?.v ?? 0, row.version) + 1;
      if (other === undefined || v > other.v)
        changes.set(row.id, { id: row.id, v, s, r: record?.r ?? null });
    }
  }
  const changed = [...changes.values()];
  const rowsOf = jsonRows(['id', 'v', 's', 'r'], changed);
  await runBatch(db, [
    sql`insert into ${CODES} (code, version) select code, version
      from ${jsonRows(['code', 'version'], unknown)} where true
      on conflict do update set version = max(version, excluded.version)`,
    sql`update ${links} set version = item.v, updated_at = ${now} from ${rowsOf} as item where ${links}.id = item.id`,
    // Only an administrator gives a reason, so a reason shows who disabled the link.
    sql`update ${links} set status = item.s, disabled_reason = item.r,
        disabled_by = case when item.s = 'deleted' then null when item.r is null then 'owner' else 'admin' end
      from ${rowsOf} as item where ${links}.id = item.id and item.s <> ''`,
    sql`insert or ignore into ${link_holds} (link_id, kind, value, reason, created_at)
      select id, 'link', '', r, ${now} from ${rowsOf} where s = 'disabled' and r is not null`,
    sql`insert into ${link_outbox} (link_id, version, queued_at)
      select id, v, ${now} from ${rowsOf} where true
      on conflict (link_id) do update set version = excluded.version, queued_at = excluded.queued_at`,
  ]);
  return { changed: changed.length, stopped: changed.filter(({ s }) => s !== '').length };
}

/**
 * Gives every code without a row a new row without an owner, with an id that was never assigned.
 */
async function insertTombstones(db: Db, now: number): Promise<number> {
  const hasRow = sql`exists (select 1 from ${links} as link where ${hasKey(sql`lost.code`, 'link')})`;
  await db.run(sql`delete from ${CODES} as lost where ${hasRow}`);
  const some = sql`(select code from ${CODES} order by code limit ${LINKS_PER_STEP})`;
  for (let lost = 0; ;) {
    const [inserted = []] = await runBatch(db, [
      sql`insert into ${links} (code, target, target_host, status, disabled_reason, version, created_at, updated_at)
        select code, '', '', 'deleted', ${LOST_REASON}, version + 1, ${now}, ${now} from ${CODES} where code in ${some}
        returning id`,
      sql`insert into ${link_outbox} (link_id, version, queued_at) select id, version, ${now} from ${links}
        where ${hasOneKey(some)}`,
      sql`delete from ${CODES} where code in ${some}`,
    ]);
    if (inserted.length === 0) return lost;
    lost += inserted.length;
  }
}

/** Publishes the links in the outbox. The job publishes them once more, and deletes the rows. */
async function publishOutbox(env: EdgeStores, db: Db, now: number): Promise<void> {
  for (let last = 0; ;) {
    const rows = await db.all<{ id: number }>(
      sql`select link_id as id from ${link_outbox} where link_id > ${last} order by link_id limit ${LINKS_PER_STEP}`,
    );
    const next = rows.at(-1)?.id;
    if (next === undefined) return;
    await publishLinks(
      env,
      rows.map(({ id }) => id),
      now,
    );
    last = next;
  }
}
