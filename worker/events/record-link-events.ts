import { sql, type SQL } from 'drizzle-orm';
import { SETTING_NAMES } from '#contract/links/link-settings.ts';
import type { LinkEvent } from '#contract/webhooks/webhook-events.ts';
import type { Statement } from '#worker/db/batch.ts';
import { cardAsJson } from '#worker/db/link-card.ts';
import { healthAsJson } from '#worker/db/link-health.ts';
import { settingColumns, withSettings } from '#worker/db/link-settings.ts';
import { shownStatus } from '#worker/db/link-status.ts';
import { webhook_deliveries, webhook_endpoints } from '#worker/db/schema-api.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { links } from '#worker/db/schema-links.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { earlierCodesAsJson } from '#worker/edge/earlier-codes.ts';
import { countWanted, withinDay } from './delivery-allowance.ts';

const tagNames: SQL = sql`(select json_group_array(name) from (select ${tags.name} as name
  from ${link_tags} join ${tags} on ${tags.id} = ${link_tags.tag_id} where ${link_tags.link_id} = ${links.id} order by lower(${tags.name})))`;

/**
 * SQL for the JSON of a link in its events. `event-body.ts` reads it, so a stored event keeps the
 * link's state at that time.
 */
export const LINK_DATA: SQL = withSettings(
  sql`json_object('code', ${links.code}, 'earlierCodes', json(${earlierCodesAsJson}), 'target', ${links.target}, 'externalId', ${links.external_id},
    'status', ${shownStatus()}, 'disabledBy', ${links.disabled_by}, 'disabledReason', ${links.disabled_reason}, 'importedClicks', ${links.imported_clicks},
    'tags', json(${tagNames}), 'createdAt', ${links.created_at}, 'updatedAt', ${links.updated_at}, 'card', json(${cardAsJson}), 'health', json(${healthAsJson}))`,
  SETTING_NAMES,
  settingColumns,
);

/** True in SQL if endpoint `e` gets events of this type. No event name contains another. */
const wants = (type: SQL | string): SQL =>
  sql`e.disabled_at is null and instr(e.events, ${type}) > 0`;

const isTagOf = sql`tag.user_id = e.user_id and lower(tag.name) = lower(e.tag)`;

/** True in SQL if endpoint `e` gets events of all links, or the link has its tag. */
export const hasWantedTag = (linkId: SQL): SQL =>
  sql`(e.tag = '' or exists (select 1 from ${tags} as tag cross join ${link_tags} as tagged
    on tagged.link_id = ${linkId} and tagged.tag_id = tag.id where ${isTagOf}))`;

/** True in SQL if the change at `now` that the history has recorded took the tag of `e` away. */
const lostWantedTag = (now: number): SQL =>
  sql`exists (select 1 from ${link_changes} as was cross join json_each(was.tags) as had
    cross join ${tags} as tag on tag.id = had.value
    where was.link_id = ${links.id} and was.at = ${now} and ${isTagOf})`;

/**
 * SQL for a new `webhook-id`. It is random, because a restored database would repeat sequential
 * ids.
 */
export const newMessageId: SQL = sql`'msg_' || lower(hex(randomblob(16)))`;

/** The names of changed fields of the public API; as SQL, a JSON array. */
export type ChangedFields = readonly string[] | SQL;

/** SQL for the number that rises with every change of a link. */
export const sequenceOf = (link: SQL): SQL => sql`${link}.version + ${link}.notes_version`;

/**
 * Returns the statements that record an event of links for every endpoint of their owners that
 * wants it, within the daily limit. They belong after the change, in the same batch, so that
 * neither is stored without the other; `where` selects the rows of `links` after the change. A
 * change that takes the tag of an endpoint away from a link is the last event of the link there.
 * Call `dispatchWebhooks` after the batch.
 */
export function recordLinkEvents(
  type: LinkEvent | SQL,
  where: SQL,
  now: number,
  changed: ChangedFields = [],
): Statement[] {
  const isTagged = hasWantedTag(sql`${links.id}`);
  const takesTag = Array.isArray(changed) && changed.includes('tags');
  const isWanted = takesTag ? sql`(${isTagged} or ${lostWantedTag(now)})` : isTagged;
  const wanted = sql`select e.id as endpoint_id, e.user_id, ${links.id} as link_id
    from ${links} cross join ${webhook_endpoints} as e on e.user_id = ${links.user_id} where ${where} and ${wants(type)} and ${isWanted}`;
  const data = sql`json_insert(${LINK_DATA}, '$.changed', json(${Array.isArray(changed) ? JSON.stringify(changed) : changed}))`;
  return [
    countWanted(wanted, now),
    sql`insert into ${webhook_deliveries} (endpoint_id, message_id, link_id, type, sequence, data, status, due_at, created_at)
      select fits.endpoint_id, ${newMessageId}, ${links.id}, ${type}, ${sequenceOf(sql`${links}`)}, ${data}, 'pending', ${now}, ${now}
      from (${withinDay(wanted, now)}) as fits cross join ${links} on ${links.id} = fits.link_id where true order by ${links.id}`,
  ];
}
