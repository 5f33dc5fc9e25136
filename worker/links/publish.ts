import {
  EDGE_RECORD_COLUMNS,
  edgeKey,
  encodeEdgeRecord,
  toEdgeRecord,
  type EdgeRecordRow,
} from '#worker/redirect/edge-record.ts';
import { linkMemory } from '#worker/redirect/link-memory.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';

type Stores = Pick<Env, 'DB' | 'LINKS' | 'LINKS_EPOCH'>;
type Row = EdgeRecordRow & { host: string; code: string };

/** A Worker has six connections at a time; more puts at once would only queue. */
const PUTS_AT_ONCE = 6;
const PUT_LIMIT_MS = 5_000;
/** KV takes one write per key and second: after a refusal this is worth one more try. */
const PUT_AGAIN_AFTER_MS = 1_100;
/** As often as one publication is overtaken by further changes; what is left after that is the outbox's. */
const ROUNDS = 10;
/**
 * A change stays in the outbox for this long although its copy has been put: a copy of an older version may
 * still be under way (a put-back by a redirect, a request that lives up to 30 s after its answer), and KV
 * keeps whichever write comes last. Cron then puts the current copy once more and closes the row.
 */
export const SETTLE_MS = 60_000;

/**
 * Copies the current rows of these links from D1 to KV; never a caller's idea of them. Afterwards the versions
 * are read again and what has changed meanwhile is put again, so that concurrent changes end with the newest.
 * `now` in ms: outbox rows older than `SETTLE_MS` are closed. Nothing of KV's troubles is thrown: what could not
 * be put stays in the outbox for cron. Throws only where D1 cannot be read, or where LINKS_EPOCH is malformed.
 */
export async function publishLinks(env: Stores, linkIds: number[], now: number): Promise<{ published: number; left: number }> {
  // Said here once, with what to change, and not as a failed put of every link.
  edgeKey(env.LINKS_EPOCH, '', '');
  const published = new Map<number, number>();
  const failed = new Set<number>();
  let wanted = linkIds;
  for (let round = 0; round < ROUNDS && wanted.length > 0; round++) {
    const rows = await readRows(env.DB, wanted);
    await putAll(env, rows, published, failed);
    wanted = await changedSince(env.DB, published);
  }
  await closeSettled(env.DB, published, failed, now);
  return { published: published.size, left: failed.size + wanted.length };
}

async function readRows(db: D1Database, ids: number[]): Promise<Row[]> {
  const query = db.prepare(`SELECT host, code, ${EDGE_RECORD_COLUMNS} FROM links WHERE id IN (SELECT value FROM json_each(?1))`);
  return (await query.bind(JSON.stringify(ids)).all<Row>()).results;
}

/** Puts every row and notes its version, or its failure. After a wholly failed group the rest is not tried. */
async function putAll(env: Stores, rows: Row[], published: Map<number, number>, failed: Set<number>): Promise<void> {
  let down = false;
  for (let at = 0; at < rows.length; at += PUTS_AT_ONCE) {
    const group = rows.slice(at, at + PUTS_AT_ONCE);
    const taken: boolean[] = down ? group.map(() => false) : await Promise.all(group.map((row) => put(env, row)));
    for (const [index, row] of group.entries()) {
      published.delete(row.id);
      if (taken[index] === true) published.set(row.id, row.version);
      else failed.add(row.id);
    }
    down = taken.every((ok) => !ok);
  }
}

async function put(env: Stores, row: Row): Promise<boolean> {
  const link = toEdgeRecord(row);
  const copy = encodeEdgeRecord(link);
  if (row.host === '') linkMemory.update(row.code, link);
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await withTimeout(PUT_LIMIT_MS, env.LINKS.put(edgeKey(env.LINKS_EPOCH, row.host, row.code), copy));
      return true;
    } catch (error) {
      if (!/429|too many/i.test(String(error))) return false;
      await scheduler.wait(PUT_AGAIN_AFTER_MS);
    }
  }
  return false;
}

async function changedSince(db: D1Database, published: Map<number, number>): Promise<number[]> {
  if (published.size === 0) return [];
  const query = db.prepare(
    `SELECT l.id FROM json_each(?1) j JOIN links l ON l.id = j.value ->> 0 WHERE l.version <> j.value ->> 1`,
  );
  const { results } = await query.bind(JSON.stringify([...published])).all<{ id: number }>();
  return results.map((row) => row.id);
}

/** Closes the settled rows whose version is the one put; counts an attempt on those that KV refused. */
async function closeSettled(db: D1Database, published: Map<number, number>, failed: Set<number>, now: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        `DELETE FROM link_outbox WHERE queued_at <= ?2 AND (link_id, version) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))`,
      )
      .bind(JSON.stringify([...published]), now - SETTLE_MS),
    db
      .prepare(`UPDATE link_outbox SET attempts = attempts + 1 WHERE link_id IN (SELECT value FROM json_each(?1))`)
      .bind(JSON.stringify([...failed])),
  ]);
}
