import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { LinkSettings } from '#contract/links/link-settings.ts';
import type { Tag } from '#contract/links/tags.ts';
import { clicksColumn, withLiveClicks } from './shard-totals.ts';
import type { Db } from '#worker/db/client.ts';
import { jsonList } from '#worker/db/batch.ts';
import { cardAsJson, type StoredCard } from '#worker/db/link-card.ts';
import { healthColumn, type StoredHealth } from '#worker/db/link-health.ts';
import { settingColumns } from '#worker/db/link-settings.ts';
import { link_totals } from '#worker/db/schema-clicks.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema-links.ts';
import { earlierCodesColumn, idOfCode } from '#worker/edge/earlier-codes.ts';

/** A link as its owner can see and change it. Times in ms. */
export type OwnLink = LinkSettings & {
  id: number;
  /** The number of the shard that holds its clicks. */
  shard: number;
  code: string;
  /** Earlier codes that still redirect, the latest first. */
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
  /** Clicks that the previous service had counted before the import. */
  importedClicks: number | null;
  /** Its preview card; null if it has none. */
  card: StoredCard | null;
  /** What checks have found about its destination; null if it is not watched. */
  health: StoredHealth | null;
  /** How many clicks of its limit are used, as the object that counts has reported last. */
  limitUsed: number;
  tags: Tag[];
};

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
  limitUsed: links.limit_used,
  ...settingColumns,
  card: sql<string | null>`${cardAsJson}`.mapWith((json: string): StoredCard => JSON.parse(json)),
  health: healthColumn,
  tags: tagsAsJson.mapWith((json: string): Tag[] => JSON.parse(json)),
};

/**
 * The member who changes a link. `keyName` is the API key that does it for them; null for a
 * session.
 */
export type LinkActor = { userId: string; keyName: string | null };

/** Identifies one link of a member. A code is its current one or an earlier one. */
export type LinkRef = { code: string } | { id: number } | { externalId: string };

/** Returns the member's link; null if it is unknown, deleted or somebody else's. */
export async function readOwnLink(db: Db, userId: string, ref: LinkRef): Promise<OwnLink | null> {
  const [row] = await selectOwnLinks(db, userId, conditionOf(ref));
  return row ?? null;
}

/** Returns the member's links with these ids that are not deleted, in no particular order. */
export function readOwnLinks(db: Db, userId: string, ids: readonly number[]): Promise<OwnLink[]> {
  return selectOwnLinks(db, userId, inArray(links.id, jsonList(ids)));
}

/** True if a link of the member has this external id. Null stands for no member, or no id. */
export const isExternalIdTaken = async (
  db: Db,
  userId: string | null,
  externalId: string | null,
): Promise<boolean> =>
  userId !== null &&
  externalId !== null &&
  (await readOwnLink(db, userId, { externalId })) !== null;

async function selectOwnLinks(db: Db, userId: string, which: SQL | undefined): Promise<OwnLink[]> {
  const rows = await db
    .select(ownColumns)
    .from(links)
    .leftJoin(link_totals, eq(link_totals.link_id, links.id))
    // This is SQL text, because SQLite uses a partial index only if its condition appears
    // literally.
    .where(and(which, eq(links.user_id, userId), sql`${links.status} <> 'deleted'`));
  return withLiveClicks(db, rows);
}

function conditionOf(ref: LinkRef): SQL | undefined {
  if ('id' in ref) return eq(links.id, ref.id);
  return 'code' in ref ? eq(links.id, idOfCode(ref.code)) : eq(links.external_id, ref.externalId);
}
