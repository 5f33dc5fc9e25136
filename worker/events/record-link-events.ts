import { sql, type SQL } from 'drizzle-orm';
import { namesWith } from '#contract/link-settings.ts';
import type { LinkEvent } from '#contract/webhooks.ts';
import type { Statement } from '#worker/db/batch.ts';
import { asJsonMembers, settingColumns } from '#worker/db/link-settings.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { links } from '#worker/db/schema-links.ts';
import { earlierCodesAsJson } from '#worker/edge/earlier-codes.ts';
import { countWanted, withinDay } from './delivery-allowance.ts';

/**
 * SQL for the JSON of a link in its events. `event-body.ts` reads it, so a stored event keeps the
 * link's state at that time.
 */
export const LINK_DATA: SQL = sql`json_object('code', ${links.code}, 'earlierCodes', json(${earlierCodesAsJson}), 'target', ${links.target}, 'externalId', ${links.external_id},
  'status', ${links.status}, 'disabledBy', ${links.disabled_by}, 'disabledReason', ${links.disabled_reason},
  ${asJsonMembers(namesWith({ isInEvents: true }), settingColumns)}, 'createdAt', ${links.created_at}, 'updatedAt', ${links.updated_at})`;

/** True in SQL if endpoint `e` gets events of this type. No event name contains another. */
export const wants = (type: SQL | string): SQL =>
  sql`e.disabled_at is null and instr(e.events, ${type}) > 0`;

/**
 * SQL for a new `webhook-id`. It is random, because a restored database would repeat sequential
 * ids.
 */
export const newMessageId: SQL = sql`'msg_' || lower(hex(randomblob(16)))`;

/**
 * Returns the statements that record an event of links for every endpoint of their owners that
 * wants it, within the daily limit. They belong after the change, in the same batch, so that
 * neither is stored without the other; `where` selects the rows of `links` after the change. Call
 * `dispatchWebhooks` after the batch.
 */
export function recordLinkEvents(type: LinkEvent | SQL, where: SQL, now: number): Statement[] {
  const wanted = sql`select e.id as endpoint_id, e.user_id, ${links.id} as link_id
    from ${links} cross join ${webhook_endpoints} as e on e.user_id = ${links.user_id} where ${where} and ${wants(type)}`;
  return [
    countWanted(wanted, now),
    sql`insert into ${webhook_deliveries} (endpoint_id, message_id, link_id, type, sequence, data, status, due_at, created_at)
      select fits.endpoint_id, ${newMessageId}, ${links.id}, ${type}, ${links.version}, ${LINK_DATA}, 'pending', ${now}, ${now}
      from (${withinDay(wanted, now)}) as fits cross join ${links} on ${links.id} = fits.link_id where true order by ${links.id}`,
  ];
}
