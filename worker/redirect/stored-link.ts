import { observe } from '#worker/metrics/counters.ts';
import { batchLookups, type LookupLimits } from './batch-lookups.ts';
import {
  EDGE_RECORD_COLUMNS,
  toEdgeRecord,
  type EdgeRecord,
  type EdgeRecordRow,
} from './edge-record.ts';

/** A link as D1, the source of truth, holds it. `updatedAt` in ms since 1970. */
export type StoredLink = { record: EdgeRecord; updatedAt: number };

type Row = EdgeRecordRow & { code: string; updated_at: number };
const LIMITS: LookupLimits = { everyMs: 50, codes: 200, suspectCodes: 100 };

export type StoredLinkReader = ReturnType<typeof createStoredLinkReader>;

/** Reads links from D1; null for an unknown code. */
export const createStoredLinkReader = (limits = LIMITS) => batchLookups(limits, readStoredLinks);

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
