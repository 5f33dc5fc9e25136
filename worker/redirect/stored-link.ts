import { observe } from '#worker/metrics/counters.ts';
import {
  EDGE_RECORD_COLUMNS,
  toEdgeRecord,
  type EdgeRecord,
  type EdgeRecordRow,
} from './edge-record.ts';
import type { WaitUntil } from './shared-timeout.ts';

/** A link as D1, the source of truth, holds it. `updatedAt` in ms since 1970. */
export type StoredLink = { record: EdgeRecord; updatedAt: number };

type Row = EdgeRecordRow & { code: string; updated_at: number };
/** Codes that one statement looks up. `startsAt` in ms since 1970. */
type Batch = {
  codes: Set<string>;
  startsAt: number;
  links: Promise<ReadonlyMap<string, StoredLink>>;
};

/**
 * Times in ms. `codes` is the most codes of a batch, `suspectCodes` the most for networks over
 * their limit of unknown codes.
 */
export type LookupLimits = { everyMs: number; codes: number; suspectCodes: number };
const LIMITS: LookupLimits = { everyMs: 50, codes: 200, suspectCodes: 100 };
/** A batch that is this late belonged to a request that was cancelled. */
const STALE_AFTER_MS = 1_000;

export type StoredLinkReader = ReturnType<typeof createStoredLinkReader>;

/**
 * Reads links from D1 for all requests of this isolate, with at most one statement per `everyMs`. A
 * flood of unknown codes therefore costs a bounded number of reads, from however many networks it
 * comes. The first lookup after a pause starts at once; others wait for the next statement,
 * together.
 *
 * The returned function gives null for an unknown code, and 'full' if the next statement has no
 * room. `isSuspect` means that the network is over its limit of unknown codes, so it must leave
 * room for others. Rejects if D1 fails. `now` is ms since 1970.
 */
export function createStoredLinkReader({
  everyMs,
  codes: maxCodes,
  suspectCodes,
}: LookupLimits = LIMITS) {
  let open: Batch | null = null;
  let nextStart = 0;

  /**
   * Reads a batch when it is due. Its request stays alive until then, because others wait for it.
   */
  const read = async (
    batch: Batch,
    db: D1Database,
    waitMs: number,
  ): Promise<ReadonlyMap<string, StoredLink>> => {
    if (waitMs > 0) await scheduler.wait(waitMs);
    if (open === batch) open = null;
    return readStoredLinks(db, [...batch.codes]);
  };

  return async function readStoredLink(
    db: D1Database,
    code: string,
    isSuspect: boolean,
    now: number,
    waitUntil: WaitUntil,
  ): Promise<StoredLink | null | 'full'> {
    let batch = open;
    if (batch === null || batch.startsAt + STALE_AFTER_MS < now) {
      // A clock that was set back must not delay the next statement.
      const startsAt = nextStart <= now + everyMs ? Math.max(now, nextStart) : now;
      nextStart = startsAt + everyMs;
      const opened: Batch = { codes: new Set([code]), startsAt, links: Promise.resolve(new Map()) };
      open = opened;
      opened.links = read(opened, db, startsAt - now);
      waitUntil(opened.links.catch(() => undefined));
      batch = opened;
    } else if (!batch.codes.has(code)) {
      if (batch.codes.size >= (isSuspect ? suspectCodes : maxCodes)) return 'full';
      batch.codes.add(code);
    }
    return (await batch.links).get(code) ?? null;
  };
}

export const storedLinks: StoredLinkReader = createStoredLinkReader();

async function readStoredLinks(
  db: D1Database,
  codes: readonly string[],
): Promise<Map<string, StoredLink>> {
  const startedAt = Date.now();
  let error = 'error';
  try {
    const links = await queryLinks(db, codes);
    error = '';
    return links;
  } finally {
    observe('db.client.operation.duration', Date.now() - startedAt, 'lookup', error);
  }
}

async function queryLinks(
  db: D1Database,
  codes: readonly string[],
): Promise<Map<string, StoredLink>> {
  const { results } = await db
    .prepare(
      // An earlier code of a link that was renamed leads to the link.
      `WITH named (code, link_id) AS (
        SELECT code, coalesce(earlier_code_of, id) FROM links
        WHERE code IN (SELECT value FROM json_each(?1)) AND released_at IS NULL)
      SELECT named.code, ${EDGE_RECORD_COLUMNS}, updated_at FROM named CROSS JOIN links ON links.id = named.link_id`,
    )
    .bind(JSON.stringify(codes))
    .all<Row>();
  return new Map(
    results.map((row) => [row.code, { record: toEdgeRecord(row), updatedAt: row.updated_at }]),
  );
}
