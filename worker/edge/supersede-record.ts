import { sql } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_outbox, links } from '#worker/db/schema-links.ts';
import { idOfCode } from './earlier-codes.ts';
import { readOrphan } from './orphan.ts';

/**
 * Returns the statements that raise a row's version above its edge record's and add it to the
 * outbox; null if the row is at least as new, or if KV does not answer. They are needed after D1 is
 * restored to an earlier time: KV then has a newer version, which still redirects, and isolates
 * ignore a lower one. The caller publishes `id`, and changes the row even if the result is null.
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
