import { sql } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { idOfCode } from './earlier-codes.ts';
import { readOrphan } from './orphan.ts';

/**
 * A database restored to an earlier time has an older version of a link than KV, which still
 * redirects with the newer one. Disabling the row may then change nothing, because it is disabled
 * already, and isolates that remember the newer version ignore a lower one. The statements raise
 * the row's version above the edge record's and add it to the outbox; publish `id` with them. Null
 * if the row is as new as the record, or if KV does not answer: the row must be changed in that
 * case, too.
 */
export async function supersedeRecord(
  db: Db,
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
  code: string,
  now: number,
): Promise<{ id: number; statements: Statement[] } | null> {
  const record = await readOrphan(edge, code).catch(() => null);
  if (record === null) return null;
  const isBehind = sql`id = ${idOfCode(code)} and version < ${record.v}`;
  const [row] = await db.all<{ id: number }>(sql`select id from ${links} where ${isBehind}`);
  if (row === undefined) return null;
  const { id } = row;
  const statements = [
    sql`update ${links} set version = ${record.v + 1}, updated_at = ${now} where ${isBehind}`,
    sql`insert into ${link_outbox} (link_id, version, queued_at) select id, version, ${now} from ${links}
      where id = ${id} and version = ${record.v + 1} and updated_at = ${now}
      on conflict (link_id) do update set version = excluded.version, queued_at = excluded.queued_at, attempts = 0`,
  ];
  return { id, statements };
}
