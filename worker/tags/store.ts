import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import { TAGS_MAX } from '#contract/limits.ts';
import type { Tag, TagColor } from '#contract/links/tags.ts';
import { jsonList, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { getOrCreate } from '#worker/get-or-create.ts';
import { webhook_endpoints } from '#worker/db/schema-api.ts';
import { links } from '#worker/db/schema-links.ts';
import { shared_reports } from '#worker/db/schema-shared-reports.ts';
import { link_tags, tags } from '#worker/db/schema-tags.ts';
import { users } from '#worker/db/schema-users.ts';

export function readTags(db: Db, userId: string): Promise<Tag[]> {
  return db
    .select({ id: tags.id, name: tags.name, color: tags.color })
    .from(tags)
    .where(eq(tags.user_id, userId))
    .orderBy(asc(sql`lower(${tags.name})`))
    .all();
}

/**
 * Returns the statement that creates the tags of `wanted` that do not exist, if the account has
 * room for all of them.
 */
export const insertTags = (
  userId: string,
  wanted: readonly { name: string; color: TagColor }[],
  now: number,
): SQL =>
  sql`insert into ${tags} (user_id, name, color, created_at)
    select ${userId}, name, color, ${now} from ${jsonRows(['name', 'color'], wanted)}
    where exists (select 1 from ${users} where id = ${userId})
      and (select count(*) from ${tags} where user_id = ${userId}) + ${wanted.length} <= ${TAGS_MAX}
    on conflict do nothing`;

/**
 * Returns the statement that lets webhooks for the links of a tag follow it to another name, unless
 * a third tag has that name.
 */
const renameFilters = (userId: string, id: number, name: SQL, into: number = id): SQL =>
  sql`update ${webhook_endpoints} set tag = ${name} where user_id = ${userId}
    and lower(tag) = (select lower(name) from ${tags} where id = ${id} and user_id = ${userId})
    and not exists (select 1 from ${tags} where user_id = ${userId} and lower(name) = lower(${name}) and id not in (${id}, ${into}))`;

/** Returns false if another tag of the member has the name, or if the tag does not exist. */
export async function updateTag(
  db: Db,
  userId: string,
  id: number,
  change: { name?: string | undefined; color?: TagColor | undefined },
): Promise<boolean> {
  const { changed } = await runNamedBatch(db, {
    followed: change.name === undefined ? [] : [renameFilters(userId, id, sql`${change.name}`)],
    changed: sql`update or ignore ${tags} set name = coalesce(${change.name ?? null}, name), color = coalesce(${change.color ?? null}, color)
      where id = ${id} and user_id = ${userId}`,
  });
  return changed.changes === 1;
}

/**
 * How many rows one statement moves or deletes, because a tag may be on every link of an account.
 */
const ROWS_PER_STATEMENT = 2000;

/**
 * Deletes a tag after removing it from its links, which get the tag `into` instead unless that is
 * null. It works in bounded steps: after a failed request the tag is still on the remaining links,
 * and the next request continues.
 */
export async function dissolveTag(
  db: Db,
  userId: string,
  id: number,
  into: number | null,
): Promise<void> {
  for (;;) {
    const nextRows = sql`select link_id, link_created_at from ${link_tags} where tag_id = ${id}
      order by link_created_at, link_id limit ${ROWS_PER_STATEMENT}`;
    const { removed } = await runNamedBatch(db, {
      moved:
        into === null
          ? []
          : [
              sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
                select link_id, ${into}, link_created_at from (${nextRows}) where exists (
                  select 1 from ${tags} where id = ${into} and user_id = ${userId})`,
            ],
      removed: sql`delete from ${link_tags} where tag_id = ${id} and link_id in (select link_id from (${nextRows}))`,
    });
    if (removed.changes === 0) break;
  }
  const name = sql`(select name from ${tags} where id = ${into} and user_id = ${userId})`;
  await runNamedBatch(db, {
    followed: into === null ? [] : [renameFilters(userId, id, name, into)],
    // The clicks that these reports count would change with the tag.
    unshared: sql`delete from ${shared_reports} where tag_id = ${id} and user_id = ${userId}`,
    deleted: db.delete(tags).where(and(eq(tags.id, id), eq(tags.user_id, userId))),
  });
}

/** Returns how many links have each of these tags, without deleted links and unused tags. */
export async function countTaggedLinks(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db.all<{ id: number; links: number }>(
    sql`select tag_id as id, count(*) as links from ${jsonList(ids)} as item
      cross join ${link_tags} on ${link_tags}.tag_id = item.value
      cross join ${links} on ${links}.id = ${link_tags}.link_id and ${links}.status <> 'deleted'
      group by tag_id`,
  );
  return new Map(rows.map((row) => [row.id, row.links]));
}

/** Returns the names of the tags of each of these links that has any. */
export async function readNamesByLink(
  db: Db,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const rows = await db.all<{ link: number; name: string }>(
    sql`select link_id as link, name from ${jsonList(linkIds)} as item
      cross join ${link_tags} on ${link_tags}.link_id = item.value
      cross join ${tags} on ${tags}.id = ${link_tags}.tag_id`,
  );
  const names = new Map<number, string[]>();
  for (const { link, name } of rows) getOrCreate(names, link, () => []).push(name);
  return names;
}
