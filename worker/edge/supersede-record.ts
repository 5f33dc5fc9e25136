import { sql } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { idOfCode } from './earlier-codes.ts';
import { readOrphan } from './orphan.ts';

/**
 * Returns the statements that make a row of D1 newer than its edge record; null if it already is,
 * or if KV does not answer. After the database is restored to an earlier time, KV can have a newer
 * version of a link, which still redirects and which isolates prefer to a lower one. The statements
 * raise the row's version above the record's and add it to the outbox. The caller publishes `id`,
 * and changes the row even if the result is null.
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
