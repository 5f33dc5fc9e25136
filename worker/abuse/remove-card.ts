import { sql } from 'drizzle-orm';
import { recordAction } from '#worker/audit/record-action.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import { links } from '#worker/db/schema-links.ts';
import { idOfCode } from '#worker/edge/earlier-codes.ts';
import { addToOutbox } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';

/**
 * Removes the preview card of a link for an administrator, with an audit entry. Returns the ids of
 * the links that changed: none without a card. The caller publishes them.
 */
export async function removeCardAsAdmin(
  db: Db,
  adminId: string,
  code: string,
  now: number,
): Promise<number[]> {
  const isLink = sql`${links.id} = ${idOfCode(code)}`;
  const hasCard = sql`exists (select 1 from ${links} where ${isLink} and card_at is not null)`;
  const changed = sql`${isLink} and ${links.updated_at} = ${now}`;
  const card = sql`(select json_object('title', title, 'description', description, 'image', image)
    from ${link_cards} where link_id = ${idOfCode(code)})`;
  const { removed } = await runNamedBatch(db, {
    logged: recordAction(
      db,
      { at: now, adminId, action: 'remove_card', subject: `link:${code}`, before: card },
      hasCard,
    ),
    deleted: sql`delete from ${link_cards} where link_id = ${idOfCode(code)}`,
    removed: sql<{ id: number }>`update ${links} set card_at = null, version = version + 1,
      updated_at = ${now} where ${isLink} and card_at is not null returning id`,
    events: recordLinkEvents('link.updated', changed, now, ['card']),
    queued: addToOutbox(db, changed, now),
  });
  return removed.rows.map(({ id }) => id);
}
