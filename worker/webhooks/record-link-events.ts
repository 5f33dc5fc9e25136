import { sql, type SQL } from 'drizzle-orm';
import type { LinkEvent } from '#contract/webhooks.ts';
import type { Statement } from '#worker/db/batch.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { links } from '#worker/db/schema.ts';
import { earlierCodesAsJson } from '#worker/links/earlier-codes.ts';

/** The columns of a link that events carry. Read back by `event-body.ts`, so that a stored event keeps its state. */
export const LINK_DATA: SQL = sql`json_object('code', ${links.code}, 'earlierCodes', json(${earlierCodesAsJson}), 'target', ${links.target}, 'externalId', ${links.external_id},
  'status', ${links.status}, 'disabledBy', ${links.disabled_by}, 'disabledReason', ${links.disabled_reason},
  'expiresAt', ${links.expires_at}, 'createdAt', ${links.created_at}, 'updatedAt', ${links.updated_at})`;

/** True in SQL if endpoint `e` gets events of this type. No name of an event is part of another's. */
export const wants = (type: SQL | string): SQL => sql`e.disabled_at is null and instr(e.events, ${type}) > 0`;

/** A new `webhook-id`. It is random, because ids would be given out twice after a restore of the database. */
export const newMessageId: SQL = sql`'msg_' || lower(hex(randomblob(16)))`;

/**
 * The statement that records an event of links for every endpoint of their owners that wants it, and does nothing for others. It
 * belongs after the change, in the same batch, so that neither is stored without the other. `where` selects the rows of `links`
 * as they are after the change. Call `dispatchWebhooks` after the batch.
 */
export const recordLinkEvents = (type: LinkEvent | SQL, where: SQL, now: number): Statement =>
  sql`insert into ${webhook_deliveries} (endpoint_id, message_id, link_id, type, sequence, data, status, due_at, created_at)
    select e.id, ${newMessageId}, ${links.id}, ${type}, ${links.version}, ${LINK_DATA}, 'pending', ${now}, ${now}
    from ${links} cross join ${webhook_endpoints} as e on e.user_id = ${links.user_id}
    where ${where} and ${wants(type)} order by ${links.id}`;
