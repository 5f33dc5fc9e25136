import { COPY_COLUMNS, toEdgeLink, type EdgeLink, type LinkCopyRow } from './edge-link.ts';

/** What D1, the truth, says about a code. `changedAt` in ms since 1970. */
export type Origin = { link: EdgeLink; changedAt: number };

/** One read by the unique index. Null = there is no such link. Throws where D1 does not answer. */
export async function readOrigin(db: D1Database, host: string, code: string): Promise<Origin | null> {
  const row = await db
    .prepare(`SELECT ${COPY_COLUMNS}, updated_at FROM links WHERE host = ?1 AND code = ?2`)
    .bind(host, code)
    .first<LinkCopyRow & { updated_at: number }>();
  return row === null ? null : { link: toEdgeLink(row), changedAt: row.updated_at };
}
