import { sql, type SQL } from 'drizzle-orm';
import { linkHolds, type LinkHold } from '#contract/abuse.ts';
import { link_holds, links } from '#worker/db/schema.ts';

/** SQL, where `links` is in reach under its own name: its holds as JSON text, weightiest first; its owner's 'off' is one of them. */
export function holdsOf(): SQL<string> {
  return sql<string>`(select json_group_array(json_object('kind', kind, 'value', value, 'reason', reason)) from (
    select kind, value, reason from ${link_holds} where link_id = ${links}.id and kind <> 'owner'
    union all select kind, value, reason from ${link_holds} where link_id = ${links}.id and kind = 'owner'
    union all select 'owner', '', coalesce(${links}.disabled_reason, '') where ${links}.status = 'disabled' and ${links}.disabled_by = 'owner'))`;
}

/** What `holdsOf` read. */
export const readHolds = (json: string): LinkHold[] => linkHolds.parse(JSON.parse(json));
