import { desc, eq, sql, type SQL } from 'drizzle-orm';
import type { HistoryName } from '#contract/link-settings.ts';
import { LINK_CHANGES_MAX, TARGET_CHANGES_KEPT } from '#contract/limits.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { historyColumns, namesOfColumns } from '#worker/db/link-settings.ts';
import { link_changes } from '#worker/db/schema-links.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema-links.ts';
import { HISTORY, pickSettings } from '#worker/links/settings/link-settings.ts';
import { listTags } from '#worker/tags/tags.ts';
import type { OwnLink } from './own-link.ts';

/**
 * A link at one time. Times in ms. `tags` are names; a tag that was deleted since is in none of the
 * states.
 */
export type LinkSnapshot = Pick<OwnLink, 'code' | 'target' | 'status' | HistoryName> & {
  tags: string[];
};
/** `keyName` is the API key that made the change; '' for the owner's own pages. */
export type LinkChangeRecord = {
  at: number;
  keyName: string;
  before: LinkSnapshot;
  after: LinkSnapshot;
};

/** In SQL, the ids of the tags of a row of `links`, as `idsAsJson` writes them. */
export const tagIdsAsJson: SQL = sql`(select json_group_array(tag_id) from (
  select tag_id from ${link_tags} where link_id = ${links}.id order by tag_id))`;

export const idsAsJson = (ids: readonly number[]): string =>
  JSON.stringify(ids.toSorted((a, b) => a - b));

const COLUMNS = namesOfColumns(HISTORY);

/**
 * The statements that keep what a change is about to replace, for the batch that changes the links,
 * before the change. `where` selects the links that it will change. Of a link with many records,
 * the oldest are deleted.
 */
export function recordChange(where: SQL, keyName: string, now: number): Statement[] {
  return [
    deleteOldChanges(where),
    sql`insert or ignore into ${link_changes} (link_id, at, key_name, target, status, code, tags, ${COLUMNS})
      select ${links}.id, ${now}, ${keyName}, target, status, code, ${tagIdsAsJson}, ${COLUMNS}
      from ${links} where ${where}`,
  ];
}

/**
 * Makes room for one more record. Other changes, which cost nothing, never delete the record of a
 * changed target: its first and last changes are kept, so that neither a suspect nor a thief can
 * remove where the link led (SECURITY.md T51). A record changed the target if the next one, or the
 * link, has another target.
 */
const deleteOldChanges = (
  where: SQL,
): SQL => sql`delete from ${link_changes} where (link_id, at) in (
  select link_id, at from (
    select link_id, at, changed_target, row_number() over newest_first as nth,
      sum(changed_target) over (partition by link_id order by at) as nth_target,
      sum(changed_target) over newest_first as nth_last_target
    from (
      select record.link_id, record.at, record.target <>
        coalesce(lead(record.target) over (partition by record.link_id order by record.at), current.target) as changed_target
      from ${links} as current cross join ${link_changes} as record on record.link_id = current.id
      where current.id in (select ${links}.id from ${links} where ${where})
    )
    window newest_first as (partition by link_id order by at desc)
  )
  where nth >= ${LINK_CHANGES_MAX}
    and not (changed_target and (nth_target <= ${TARGET_CHANGES_KEPT} or nth_last_target <= ${TARGET_CHANGES_KEPT})))`;

/** The changes that the owner of a link has made to it, the last one first. */
export async function readHistory(
  db: Db,
  userId: string,
  link: OwnLink,
): Promise<LinkChangeRecord[]> {
  const [rows, tags] = await Promise.all([
    db
      .select({
        at: link_changes.at,
        keyName: link_changes.key_name,
        code: link_changes.code,
        target: link_changes.target,
        status: link_changes.status,
        tags: link_changes.tags,
        ...historyColumns,
      })
      .from(link_changes)
      .where(eq(link_changes.link_id, link.id))
      .orderBy(desc(link_changes.at))
      .all(),
    listTags(db, userId),
  ]);
  const namesOf = (json: string): string[] => {
    const ids: number[] = JSON.parse(json);
    return tags.flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
  };
  const { code, target, status } = link;
  let after: LinkSnapshot = {
    ...pickSettings(link, HISTORY),
    code,
    target,
    status,
    tags: link.tags.map(({ name }) => name),
  };
  return rows.map(({ at, keyName, ...row }) => {
    const before: LinkSnapshot = {
      ...row,
      tags: namesOf(row.tags),
    };
    const change = { at, keyName, before, after };
    after = before;
    return change;
  });
}
