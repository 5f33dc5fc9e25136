import { sql, type SQL } from 'drizzle-orm';
import { namesWith } from '#contract/link-settings.ts';
import type { Db } from '#worker/db/client.ts';
import { settingColumns, toColumnValues } from '#worker/db/link-settings.ts';
import { jsonList, jsonRows, type Statement } from '#worker/db/batch.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { hasKey, link_words, links } from '#worker/db/schema-links.ts';
import type { Tag } from '#contract/tags.ts';
import type { Notes } from '#worker/links/settings/link-settings.ts';
import { idsAsJson, recordChange, tagIdsAsJson } from '#worker/links/read/link-history.ts';

/**
 * The owner's notes on a link: its tags and the settings that no redirect reads. Absent fields stay
 * unchanged.
 */
export type StoredDetails = Partial<Notes> & { tags?: Tag[] };

const idsOf = (tags: readonly Tag[]): number[] => tags.map(({ id }) => id);

/**
 * Returns the statements that write the owner's notes on a link, if `when` is true of the link in
 * SQL. They change neither its version nor its edge record, because no redirect reads the notes.
 */
export function writeDetails(
  db: Db,
  userId: string,
  linkId: number,
  details: StoredDetails,
  now: number,
  when: SQL,
): Statement[] {
  const { tags, ...notes } = details;
  const own = sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${when}`;
  const statements: Statement[] = [
    db
      .update(links)
      .set({
        ...toColumnValues(notes),
        ...(notes.watch === undefined ? {} : { next_check_at: 0 }),
        notes_version: sql`${links.notes_version} + 1`,
        updated_at: now,
      })
      .where(sql`${own} and ${links}.status <> 'deleted'`),
  ];
  if (tags === undefined) return statements;
  const list = jsonList(idsOf(tags));
  return [
    ...statements,
    sql`delete from ${link_tags} where link_id = ${linkId} and tag_id not in ${list}
      and exists (select 1 from ${links} where ${own})`,
    sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select ${links}.id, item.value, ${links}.created_at from ${links}, ${list} as item where ${own}`,
  ];
}

const NOTES_WITH_HISTORY = namesWith({ isPublished: false, hasHistory: true });

/**
 * Returns the statements that record the state of a link before its notes change, if `when` is true
 * in SQL. A changed favorite flag is not recorded.
 */
export function recordNotes(
  userId: string,
  linkId: number,
  details: StoredDetails,
  keyName: string,
  now: number,
  when: SQL,
): Statement[] {
  const { tags, ...notes } = details;
  const differences = NOTES_WITH_HISTORY.filter((name) => notes[name] !== undefined).map(
    (name) => sql`${settingColumns[name]} is not ${notes[name]}`,
  );
  if (tags !== undefined) differences.push(sql`${tagIdsAsJson} <> ${idsAsJson(idsOf(tags))}`);
  if (differences.length === 0) return [];
  const isOther = sql`(${sql.join(differences, sql` or `)})`;
  return recordChange(
    sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${links}.status <> 'deleted' and ${isOther} and ${when}`,
    keyName,
    now,
  );
}

/** SQL that joins each of these items to the link that the batch inserted for it at `now`. */
const newLinksWith = <Name extends string>(
  list: Name,
  items: readonly ({ code: string; userId: string | null } & Record<Name, unknown>)[],
  now: number,
) =>
  sql`${jsonRows(['code', 'userId', list], items)} as item
    cross join ${links} as link on ${hasKey(sql`item.code`, 'link')}
    and link.user_id = item.userId and link.updated_at = ${now}`;

/**
 * Returns the statement that tags new links, for the end of the batch that inserts them at `now`.
 */
export function tagNewLinks(
  newLinks: readonly { code: string; userId: string | null; tagIds: readonly number[] }[],
  now: number,
): Statement[] {
  const tagged = newLinks.filter(({ tagIds }) => tagIds.length > 0);
  if (tagged.length === 0) return [];
  return [
    sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select link.id, tag.value, link.created_at from ${newLinksWith('tagIds', tagged, now)}, json_each(item.tagIds) as tag`,
  ];
}

/**
 * Returns the statement that inserts the search words of new links, for the end of the batch that
 * inserts them at `now`.
 */
export function indexNewLinks(
  newLinks: readonly { code: string; userId: string | null; words: readonly string[] | null }[],
  now: number,
): Statement[] {
  const listed = newLinks.filter(({ words }) => words !== null);
  if (listed.length === 0) return [];
  return [
    sql`insert or ignore into ${link_words} (user_id, word, link_id)
      select link.user_id, word.value, link.id from ${newLinksWith('words', listed, now)}, json_each(item.words) as word`,
  ];
}
