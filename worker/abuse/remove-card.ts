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
 * Removes the preview card of a link for an administrator, with an audit entry. Returns the id of
 * the link for the caller to publish, and the names of pictures that the card had; null without a
 * card.
 */
export async function removeCardAsAdmin(
  db: Db,
  adminId: string,
  code: string,
  now: number,
): Promise<{ id: number; pictures: string[] } | null> {
  const isLink = sql`${links.id} = ${idOfCode(code)}`;
  const hasCard = sql`exists (select 1 from ${links} where ${isLink} and card_at is not null)`;
  const changed = sql`${isLink} and ${links.updated_at} = ${now}`;
  const card = sql`(select json_object('title', title, 'description', description, 'image', image)
    from ${link_cards} where link_id = ${idOfCode(code)})`;
  const { removed, deleted } = await runNamedBatch(db, {
    logged: recordAction(
      { at: now, adminId, action: 'remove_card', subject: `link:${code}`, before: card },
      hasCard,
    ),
    deleted: sql<{ image: string }>`delete from ${link_cards} where link_id = ${idOfCode(code)}
      returning image`,
    removed: sql<{ id: number }>`update ${links} set card_at = null, version = version + 1,
      updated_at = ${now} where ${isLink} and card_at is not null returning id`,
    events: recordLinkEvents('link.updated', changed, now, ['card']),
    queued: addToOutbox(db, changed, now),
  });
  const [link] = removed.rows;
  const pictures = deleted.rows.flatMap(({ image }) => (image === '' ? [] : [image]));
  return link === undefined ? null : { id: link.id, pictures };
}
