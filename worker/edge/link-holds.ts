import { sql, type SQL } from 'drizzle-orm';
import { linkHolds, type LinkHold } from '#contract/moderation/abuse.ts';
import { link_holds } from '#worker/db/schema-moderation.ts';
import { links } from '#worker/db/schema-links.ts';

/**
 * Returns a column for queries on `links`: the link's holds as JSON, in order of precedence. A link
 * that its owner has disabled has a hold of kind 'owner'.
 */
export function selectHolds(): SQL<string> {
  return sql<string>`(select json_group_array(json_object('kind', kind, 'value', value, 'reason', reason)) from (
    select kind, value, reason from ${link_holds} where link_id = ${links}.id and kind <> 'owner'
    union all select kind, value, reason from ${link_holds} where link_id = ${links}.id and kind = 'owner'
    union all select 'owner', '', coalesce(${links}.disabled_reason, '') where ${links}.status = 'disabled' and ${links}.disabled_by = 'owner'))`;
}

/**
 * True in SQL if moderation, the blocklist or a bad reputation holds a link. Deleting a link keeps
 * its holds: one on the link itself can then never be lifted, but one on its host, user or target
 * can.
 */
export const isHeld = (): SQL =>
  sql`exists (select 1 from ${link_holds} where ${link_holds}.link_id = ${links}.id and ${link_holds}.kind <> 'owner')`;

export const parseHolds = (json: string): LinkHold[] => linkHolds.parse(JSON.parse(json));
