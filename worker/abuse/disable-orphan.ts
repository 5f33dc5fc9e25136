import { sql } from 'drizzle-orm';
import type { ModerationAction } from '#contract/moderation/abuse.ts';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { adoptOrphan, isAdopted, readOrphan } from '#worker/edge/orphan.ts';

/**
 * Disables a link that KV redirects although D1 has no row for it. Inserts the row, its hold and
 * the audit entry in one batch, so that the link can be enabled again like any other. Returns the
 * id of the new row, which the caller publishes. Returns null for another action, if KV has no such
 * link either, or if a row was inserted in the meantime.
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
  const entry = {
    at: now,
    adminId,
    action: 'disable_links',
    subject: `link:${code}`,
    after: { links: 1 },
    reason,
  };
  const { adopted } = await runNamedBatch(db, {
    record: recordAction(entry, sql`not exists (select 1 from ${links} where ${hasKey(code)})`),
    adopted: adoptOrphan(code, record, { status: 'disabled', reason }, now),
    hold: sql`insert into ${link_holds} (link_id, kind, value, reason, created_at)
      select id, 'link', '', ${reason}, ${now} from ${links} where ${isAdopted(code, record, now)} on conflict do nothing`,
  });
  const id = adopted.rows[0]?.['id'];
  return typeof id === 'number' ? id : null;
}
