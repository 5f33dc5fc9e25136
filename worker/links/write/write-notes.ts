import { sql, type SQL } from 'drizzle-orm';
import { namesWith } from '#contract/links/link-settings.ts';
import type { Db } from '#worker/db/client.ts';
import { settingColumns, toColumnValues } from '#worker/db/link-settings.ts';
import { jsonList, type Statement } from '#worker/db/batch.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { links } from '#worker/db/schema-links.ts';
import type { Tag } from '#contract/links/tags.ts';
import type { Notes } from '#worker/links/settings/link-settings.ts';
import { idsAsJson, recordChange, tagIdsAsJson } from '#worker/links/read/link-history.ts';

/**
 * The owner's notes on a link: its tags and the settings that no redirect reads. Absent ones stay
 * unchanged.
 */
export type StoredNotes = Partial<Notes> & { tags?: Tag[] };

const idsOf = (tags: readonly Tag[]): number[] => tags.map(({ id }) => id);

/** Notes to write on a member's link if `when` is true of the link in SQL. */
type NotesChange = { userId: string; linkId: number; notes: StoredNotes; now: number; when: SQL };

/**
 * Returns the statements that write notes. They change neither the version of the link nor its edge
 * record.
 */
export function writeNotes(
  db: Db,
  { userId, linkId, notes: { tags, ...settings }, now, when }: NotesChange,
): Statement[] {
  const own = sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${when}`;
  const statements: Statement[] = [
    db
      .update(links)
      .set({
        ...toColumnValues(settings),
        ...(settings.watch === undefined ? {} : { next_check_at: 0 }),
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
 * Returns the statements that record the state of a link before its notes change. A changed favorite
 * flag is not recorded. `keyName` as in `recordChange`.
 */
export function recordNotes(
  { userId, linkId, notes: { tags, ...settings }, now, when }: NotesChange,
  keyName: string | null,
): Statement[] {
  const differences = NOTES_WITH_HISTORY.filter((name) => settings[name] !== undefined).map(
    (name) => sql`${settingColumns[name]} is not ${settings[name]}`,
  );
  if (tags !== undefined) differences.push(sql`${tagIdsAsJson} <> ${idsAsJson(idsOf(tags))}`);
  if (differences.length === 0) return [];
  const isDifferent = sql`(${sql.join(differences, sql` or `)})`;
  return recordChange(
    sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${links}.status <> 'deleted' and ${isDifferent} and ${when}`,
    keyName,
    now,
  );
}
