import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { LinkSettings } from '#contract/link-settings.ts';
import type { Tag } from '#contract/tags.ts';
import { clicksColumn, withLiveClicks } from './shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/json-rows.ts';
import { settingColumns } from '#worker/db/link-settings.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema-links.ts';
import { earlierCodesColumn, idOfCode } from '#worker/edge/earlier-codes.ts';

/** A link as its owner can see and change it. Times in ms. */
export type OwnLink = LinkSettings & {
  id: number;
  /** The database that holds its clicks. */
  shard: number;
  code: string;
  /** Codes that still lead to the link, the last one first. */
  earlierCodes: string[];
  target: string;
  targetHost: string;
  externalId: string | null;
  status: 'active' | 'disabled' | 'deleted';
  disabledBy: 'owner' | 'admin' | 'blocklist' | 'reputation' | null;
  disabledReason: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  clicks: number;
  /** Clicks before the link was imported, as its former service counted them. */
  importedClicks: number | null;
  tags: Tag[];
};

/** The tags of the link, by name, as JSON. */
const tagsAsJson = sql<string>`(select json_group_array(json(tag)) from (
  select json_object('id', ${tags.id}, 'name', ${tags.name}, 'color', ${tags.color}) as tag
  from ${link_tags} join ${tags} on ${tags.id} = ${link_tags.tag_id} where ${link_tags.link_id} = ${links.id} order by lower(${tags.name})))`;

export const ownColumns = {
  id: links.id,
  shard: links.shard,
  code: links.code,
  earlierCodes: earlierCodesColumn,
  target: links.target,
  targetHost: links.target_host,
  externalId: links.external_id,
  status: links.status,
  disabledBy: links.disabled_by,
  disabledReason: links.disabled_reason,
  version: links.version,
  createdAt: links.created_at,
  updatedAt: links.updated_at,
  clicks: clicksColumn,
  importedClicks: links.imported_clicks,
  ...settingColumns,
  tags: tagsAsJson.mapWith((json: string): Tag[] => JSON.parse(json)),
};

/**
 * The member who changes a link, and the name of the API key that does it for them; null for a
 * session.
 */
export type LinkActor = { userId: string; keyName: string | null };

/** Names one link of a member: a code is its current one or an earlier one. */
export type LinkRef = { code: string } | { id: number } | { externalId: string };

/** The member's link. Null if it is unknown, deleted or somebody else's. */
export async function readOwnLink(db: Db, userId: string, ref: LinkRef): Promise<OwnLink | null> {
  const [row] = await selectOwnLinks(db, userId, conditionOf(ref));
  return row ?? null;
}

/**
 * The member's links with these ids, in no particular order; those that are deleted are left out.
 */
export function readOwnLinks(db: Db, userId: string, ids: readonly number[]): Promise<OwnLink[]> {
  return selectOwnLinks(db, userId, inArray(links.id, jsonList(ids)));
}

async function selectOwnLinks(db: Db, userId: string, which: SQL | undefined): Promise<OwnLink[]> {
  const rows = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    // In SQL text, because a partial index is used only where its own condition appears.
    .where(and(which, eq(links.user_id, userId), sql`${links.status} <> 'deleted'`));
  return withLiveClicks(db, rows);
}

function conditionOf(ref: LinkRef): SQL | undefined {
  if ('id' in ref) return eq(links.id, ref.id);
  return 'code' in ref ? eq(links.id, idOfCode(ref.code)) : eq(links.external_id, ref.externalId);
}
