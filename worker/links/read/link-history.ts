import { desc, eq, sql, type SQL } from 'drizzle-orm';
import { LINK_SETTINGS, type HistoryName } from '#contract/links/link-settings.ts';
import { LINK_CHANGES_MAX, TARGET_CHANGES_KEPT } from '#contract/limits.ts';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { historyColumns, namesOfColumns } from '#worker/db/link-settings.ts';
import { shownStatus } from '#worker/db/link-status.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema-links.ts';
import { HISTORY, pickSettings } from '#worker/links/settings/link-settings.ts';
import { listTags } from '#worker/tags/tags.ts';
import type { OwnLink } from './own-link.ts';

/**
 * The state of a link before or after a change. Times in ms. `tags` are names; no state includes
 * tags that have been deleted since.
 */
export type LinkSnapshot = Pick<OwnLink, 'code' | 'target' | 'status' | HistoryName> & {
  /** When its preview card had last changed; null for no card. */
  cardAt: number | null;
  tags: string[];
};
/** `keyName` is the API key that made the change; '' if the owner made it in the browser. */
export type LinkChangeRecord = {
  at: number;
  keyName: string;
  /** True if it followed a check of the destination (worker/watch). */
  isByWatcher: boolean;
  before: LinkSnapshot;
  after: LinkSnapshot;
  /** True if another password replaced one. */
  isPasswordReplaced: boolean;
};

/** SQL for the tag ids of a row of `links`, in the format of `idsAsJson`. */
export const tagIdsAsJson: SQL = sql`(select json_group_array(tag_id) from (
  select tag_id from ${link_tags} where link_id = ${links}.id order by tag_id))`;

export const idsAsJson = (ids: readonly number[]): string =>
  JSON.stringify(ids.toSorted((a, b) => a - b));

const COLUMNS = namesOfColumns(HISTORY);
/** The values of these columns. A password's hash is stored `withoutKey`. */
const SHOWN_COLUMNS = sql.raw(
  HISTORY.map((name) =>
    name === 'password'
      ? `rtrim(password_hash, replace(password_hash, '$', ''))`
      : LINK_SETTINGS[name].column,
  ).join(', '),
);

/** Removes the derived key from a hash. Its random salt still tells one password from another. */
const withoutKey = (hash: string): string => hash.replace(/[^$]*$/, '');

/**
 * Returns the statements that record the current state of the links that `where` selects. They
 * belong before the change of these links, in its batch. They delete the oldest records of a link
 * that has many. `keyName` is the API key that acts, or null; `isByWatcher` is true for a change that
 * follows a check of the destination.
 */
export function recordChange(
  where: SQL,
  keyName: string | null,
  now: number,
  isByWatcher = false,
): Statement[] {
  return [
    deleteOldChanges(where),
    sql`insert or ignore into ${link_changes} (link_id, at, key_name, by_watcher, target, status, code, tags, card_at, ${COLUMNS})
      select ${links}.id, ${now}, ${keyName ?? ''}, ${isByWatcher ? 1 : 0}, target, ${shownStatus()}, code, ${tagIdsAsJson}, card_at, ${SHOWN_COLUMNS}
      from ${links} where ${where}`,
  ];
}

/**
 * Makes room for one more record. The first and last records that replaced a target are kept,
 * because otherwise a suspect or a thief could remove a target from the history with changes that
 * cost nothing (SECURITY.md T51). A record replaced a target if the next record, or the link, has
 * another one. Records from before an import are not protected, because anyone can write them.
 */
const deleteOldChanges = (
  where: SQL,
): SQL => sql`delete from ${link_changes} where (link_id, at) in (
  select link_id, at from (
    select link_id, at, changed_target, row_number() over newest_first as nth,
      sum(changed_target) over (partition by link_id order by at) as nth_target,
      sum(changed_target) over newest_first as nth_last_target
    from (
      select record.link_id, record.at, record.at >= coalesce(current.imported_at, 0) and record.target <>
        coalesce(lead(record.target) over (partition by record.link_id order by record.at), current.target) as changed_target
      from ${links} as current cross join ${link_changes} as record on record.link_id = current.id
      where current.id in (select ${links}.id from ${links} where ${where})
    )
    window newest_first as (partition by link_id order by at desc)
  )
  where nth >= ${LINK_CHANGES_MAX}
    and not (changed_target and (nth_target <= ${TARGET_CHANGES_KEPT} or nth_last_target <= ${TARGET_CHANGES_KEPT})))`;

/** Returns the changes that the owner of a link has made to it, the latest first. */
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
        isByWatcher: link_changes.by_watcher,
        code: link_changes.code,
        target: link_changes.target,
        status: link_changes.status,
        tags: link_changes.tags,
        cardAt: link_changes.card_at,
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
  const { code, target, status, card } = link;
  let after: LinkSnapshot = {
    ...pickSettings(link, HISTORY),
    password: withoutKey(link.password),
    code,
    target,
    status,
    cardAt: card?.at ?? null,
    tags: link.tags.map(({ name }) => name),
  };
  return rows.map(({ at, keyName, isByWatcher, ...row }) => {
    const before: LinkSnapshot = { ...row, tags: namesOf(row.tags) };
    const isPasswordReplaced =
      before.password !== '' && after.password !== '' && before.password !== after.password;
    const change = { at, keyName, isByWatcher, before, after, isPasswordReplaced };
    after = before;
    return change;
  });
}
