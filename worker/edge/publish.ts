import { sql } from 'drizzle-orm';
import { jsonList, jsonRows, runBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { hasKey, link_outbox, links } from '#worker/db/schema-links.ts';
import {
  EDGE_RECORD_COLUMNS,
  edgeKey,
  encodeEdgeRecord,
  toEdgeRecord,
  type EdgeRecordRow,
} from '#worker/redirect/edge-record.ts';
import { linkMemory } from '#worker/redirect/link-memory.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { hasCode, hasEdgeRecord } from './former-link.ts';

type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;
type Row = EdgeRecordRow & { code: string };
/** KV key → the row that was written to it. */
type Published = Map<string, Row>;

/** A Worker has six connections at a time; more concurrent writes would only queue. */
const CONCURRENT_PUTS = 6;
const PUT_TIMEOUT_MS = 5_000;
/**
 * KV accepts one write per key and second. A write that it rejects for this reason is tried once
 * more after this time.
 */
const PUT_RETRY_AFTER_MS = 1_100;
/**
 * How many rounds one call publishes, because links can change while it is publishing. The outbox
 * covers the rest.
 */
const ROUNDS = 10;
/**
 * How long a change stays in the outbox after its edge record was written. A write of an older
 * version may still be in progress (a backfill by a redirect, or a request up to 30 s after its
 * response), and KV keeps whichever write arrives last. The outbox job then writes the current
 * record again and deletes the row. A new link has no older version, so its row is deleted as soon
 * as KV holds it.
 */
export const SETTLE_MS = 60_000;
const FIRST_VERSION = 1;

/**
 * Writes the current rows of these links from D1 to KV, under each of their codes. It then reads
 * the rows again and repeats for those that have changed, so that KV ends with the newest record.
 * Deletes the outbox rows of new links and rows older than `SETTLE_MS`. Links that KV rejects stay
 * in the outbox; throws only if D1 fails or LINKS_EPOCH is malformed. `now` is in ms.
 */
export async function publishLinks(
  env: Stores,
  linkIds: number[],
  now: number,
): Promise<{ published: number; left: number }> {
  // A malformed LINKS_EPOCH throws here, before it can count as a failed write of every link.
  edgeKey(env.LINKS_EPOCH, '');
  const db = openDb(env.DB);
  const published: Published = new Map();
  const failed = new Set<number>();
  let remaining = linkIds;
  for (let round = 0; round < ROUNDS && remaining.length > 0; round++) {
    const rows = await readRows(db, remaining);
    await putAll(env, rows, published, failed);
    remaining = await changedSince(db, published);
  }
  await closeOutboxRows(
    db,
    published,
    { failed, unsettled: new Set([...failed, ...remaining]) },
    now,
  );
  return { published: published.size, left: failed.size + remaining.length };
}

/**
 * Returns a row for each code of these links that has an edge record. All codes of a link redirect
 * to the same target.
 */
function readRows(db: Db, ids: number[]): Promise<Row[]> {
  const among = jsonList(ids);
  return db.all<Row>(
    sql`with named(code, link_id) as (
        select code, id from ${links} where id in ${among} and ${hasCode}
        union all select code, earlier_code_of from ${links} where earlier_code_of in ${among})
      select named.code, ${sql.raw(EDGE_RECORD_COLUMNS)} from named cross join ${links} on ${links}.id = named.link_id`,
  );
}

/**
 * Writes the rows to KV in groups. A written row is added to `published`, the link of any other row
 * to `failed`. If a whole group fails, KV is presumed down and the remaining rows are not tried.
 */
async function putAll(
  env: Stores,
  rows: Row[],
  published: Published,
  failed: Set<number>,
): Promise<void> {
  let isDown = false;
  for (let at = 0; at < rows.length; at += CONCURRENT_PUTS) {
    const group = rows.slice(at, at + CONCURRENT_PUTS);
    const written: boolean[] = isDown
      ? group.map(() => false)
      : await Promise.all(group.map((row) => put(env, row)));
    for (const [index, row] of group.entries()) {
      const key = edgeKey(env.LINKS_EPOCH, row.code);
      published.delete(key);
      if (written[index] === true) published.set(key, row);
      else failed.add(row.id);
    }
    isDown = written.every((ok) => !ok);
  }
}

async function put(env: Stores, row: Row): Promise<boolean> {
  const link = toEdgeRecord(row);
  const text = encodeEdgeRecord(link);
  linkMemory.update(row.code, link);
  for (let isRetry = false; ; isRetry = true) {
    try {
      await withTimeout(PUT_TIMEOUT_MS, env.LINKS.put(edgeKey(env.LINKS_EPOCH, row.code), text));
      return true;
    } catch (error) {
      // KV reports its limit of one write per key and second only in the text of the error.
      if (isRetry || !/429|too many/i.test(String(error))) return false;
      await scheduler.wait(PUT_RETRY_AFTER_MS);
    }
  }
}

async function changedSince(db: Db, published: Published): Promise<number[]> {
  if (published.size === 0) return [];
  const written = jsonRows(['code', 'id', 'version'], [...published.values()]);
  // CROSS JOIN keeps SQLite from scanning `links`: for each code it looks the link up in an index.
  const rows = await db.all<{ id: number }>(
    sql`select distinct link.id from ${written} as item cross join ${links} as named
      on ${hasKey(sql`item.code`, 'named')}
      cross join ${links} as link on link.id = coalesce(named.earlier_code_of, named.id)
      where link.id <> item.id or link.version <> item.version`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes the outbox rows of links whose codes are all in KV at the version just written. Counts a
 * failed attempt for links that KV rejected.
 */
async function closeOutboxRows(
  db: Db,
  published: Published,
  { failed, unsettled }: { failed: ReadonlySet<number>; unsettled: ReadonlySet<number> },
  now: number,
): Promise<void> {
  const rows = [...published.values()].filter(({ id }) => !unsettled.has(id));
  const settled = jsonRows(['id', 'version'], rows);
  await runBatch(db, [
    sql`delete from ${link_outbox} where (version = ${FIRST_VERSION} or queued_at <= ${now - SETTLE_MS})
      and (link_id, version) in (select id, version from ${settled})`,
    // A new link is not in the outbox until KV has rejected it.
    sql`insert into ${link_outbox} (link_id, version, queued_at, attempts) select id, version, ${now}, 1 from ${links}
      where id in ${jsonList([...failed])} and ${hasEdgeRecord}
      on conflict do update set attempts = attempts + 1`,
  ]);
}
