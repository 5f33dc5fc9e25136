import { EDGE_RECORD_COLUMNS, toEdgeRecord, type EdgeRecord, type EdgeRecordRow } from './edge-record.ts';

/** A link as D1, the source of truth, holds it. `updatedAt` in ms since 1970. */
export type StoredLink = { record: EdgeRecord; updatedAt: number };

/** Reads a link from D1, by its unique index. Null if there is no such link. Throws if D1 fails. */
export async function readStoredLink(db: D1Database, host: string, code: string): Promise<StoredLink | null> {
  const row = await db
    .prepare(`SELECT ${EDGE_RECORD_COLUMNS}, updated_at FROM links WHERE host = ?1 AND code = ?2`)
    .bind(host, code)
    .first<EdgeRecordRow & { updated_at: number }>();
  return row === null ? null : { record: toEdgeRecord(row), updatedAt: row.updated_at };
}
