import { sql } from 'drizzle-orm';
import { runBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema.ts';
import { readOrphan } from './orphan.ts';

/**
 * A database that was restored to an earlier time has an older version of a link than KV, which goes on redirecting the newer
 * one. The row may say "disabled" already, so that disabling it changes nothing; and isolates that remember the newer version
 * do not believe a lower one. The statements raise the row above the edge record and note it for publishing; `id` is to be
 * published with them. Null where the row is as new as the record, and where KV does not answer: the row must be changed then, too.
 */
export async function overtakeRecord(
  db: Db,
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
  code: string,
  now: number,
): Promise<{ id: number; statements: Statement[] } | null> {
  const record = await readOrphan(edge, code).catch(() => null);
  if (record === null) return null;
  const isBehind = sql`host = '' and code = ${code} and version < ${record.v}`;
  const [rows] = await runBatch(db, [sql`select id from ${links} where ${isBehind}`]);
  const id = rows?.[0]?.['id'];
  if (typeof id !== 'number') return null;
  const statements = [
    sql`update ${links} set version = ${record.v + 1}, updated_at = ${now} where ${isBehind}`,
    sql`insert into ${link_outbox} (link_id, version, queued_at) select id, version, ${now} from ${links} where changes() = 1 and id = ${id}
      on conflict (link_id) do update set version = excluded.version, queued_at = excluded.queued_at, attempts = 0`,
  ];
  return { id, statements };
}
