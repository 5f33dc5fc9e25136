import { sql } from 'drizzle-orm';
import type { ModerationAction } from '#contract/abuse.ts';
import { recordStatement } from '#worker/audit/log.ts';
import { runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_holds, links } from '#worker/db/schema.ts';
import { adoptOrphan, readOrphan } from '#worker/links/orphan.ts';

/**
 * Disables a link that redirects although D1 has no row of it: the row, its hold and the log entry in one batch, so that it
 * can be enabled again like any other. Returns the new row's id: publish it. Null where there is no such link in KV
 * either, where the action is another one, and where the code has got a row meanwhile.
 */
export async function disableOrphan(
  db: Db,
  edge: Pick<Env, 'LINKS' | 'LINKS_EPOCH'>,
  adminId: string,
  { action, scope, reason }: ModerationAction,
  now: number,
): Promise<number | null> {
  if (action !== 'disable' || scope.kind !== 'link') return null;
  const { code } = scope;
  const record = await readOrphan(edge, code);
  if (record === null) return null;
  const entry = { at: now, adminId, action: 'disable_links', subject: `link:${code}`, after: { links: 1 }, reason };
  const [made] = await runBatch(db, [
    ...adoptOrphan(code, record, { status: 'disabled', reason }, now),
    sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select id, 'link', '', ${reason}, ${now} from ${links} where changes() = 1 and host = '' and code = ${code}`,
    recordStatement(db, entry, sql`changes() = 1`),
  ]);
  const id = made?.[0]?.['id'];
  return typeof id === 'number' ? id : null;
}
