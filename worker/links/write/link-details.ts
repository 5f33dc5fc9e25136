import { sql, type SQL } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import { link_tags, link_words } from '#worker/db/schema-link-data.ts';
import { hasKey } from '#worker/db/has-key.ts';
import { links } from '#worker/db/schema.ts';
import type { LinkDetails } from './link-draft.ts';
import { idsAsJson, recordChange, tagIdsAsJson } from '#worker/links/read/link-history.ts';
import { wordsOfLink } from '#worker/links/words/words.ts';

/** Details whose tags are known by their ids. */
export type StoredDetails = Omit<LinkDetails, 'tags'> & { tagIds?: readonly number[] };

/**
 * The statements that write what an owner notes about a link. They change neither the link's
 * version nor its edge record, because no redirect depends on them. Nothing is written unless
 * `when` is true of the link in SQL.
 */
export function writeDetails(
  userId: string,
  linkId: number,
  details: StoredDetails,
  now: number,
  when: SQL,
): Statement[] {
  const { title, note, favorite, archived, tagIds } = details;
  const own = sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${when}`;
  const flag = (value: boolean | undefined): number | null =>
    value === undefined ? null : Number(value);
  const statements: Statement[] = [
    sql`update ${links} set title = coalesce(${title ?? null}, title), note = coalesce(${note ?? null}, note),
      favorite = coalesce(${flag(favorite)}, favorite), archived = coalesce(${flag(archived)}, archived), updated_at = ${now}
      where ${own} and ${links}.status <> 'deleted'`,
  ];
  if (tagIds === undefined) return statements;
  const list = JSON.stringify(tagIds);
  return [
    ...statements,
    sql`delete from ${link_tags} where link_id = ${linkId} and tag_id not in (select value from json_each(${list}))
      and exists (select 1 from ${links} where ${own})`,
    sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select ${links}.id, item.value, ${links}.created_at from ${links}, json_each(${list}) as item where ${own}`,
  ];
}

/**
 * The statements that keep a link as it is before a change of its details, if `when` is true in
 * SQL. A favorite has no history.
 */
export function recordNotes(
  userId: string,
  linkId: number,
  details: StoredDetails | undefined,
  keyName: string,
  now: number,
  when: SQL,
): Statement[] {
  const { title, note, archived, tagIds } = details ?? {};
  const differences = [
    title === undefined ? null : sql`${links}.title <> ${title}`,
    note === undefined ? null : sql`${links}.note <> ${note}`,
    archived === undefined ? null : sql`${links}.archived <> ${Number(archived)}`,
    tagIds === undefined ? null : sql`${tagIdsAsJson} <> ${idsAsJson(tagIds)}`,
  ].filter((difference) => difference !== null);
  if (differences.length === 0) return [];
  const isOther = sql`(${sql.join(differences, sql` or `)})`;
  return recordChange(
    sql`${links}.id = ${linkId} and ${links}.user_id = ${userId} and ${links}.status <> 'deleted' and ${isOther} and ${when}`,
    keyName,
    now,
  );
}

/** The links that the batch has inserted at `now`, as `link`, each with its item. */
const newLinksWith = (items: readonly { code: string; userId: string | null }[], now: number) =>
  sql`json_each(${JSON.stringify(items)}) as item cross join ${links} as link on ${hasKey(sql`item.value ->> 'code'`, 'link')}
    and link.user_id = item.value ->> 'userId' and link.updated_at = ${now}`;

/**
 * The statement that puts their tags on new links, for the end of the batch that inserts them at
 * `now`.
 */
export function tagNewLinks(
  newLinks: readonly { code: string; userId: string | null; tagIds: readonly number[] }[],
  now: number,
): Statement[] {
  const tagged = newLinks.filter(({ tagIds }) => tagIds.length > 0);
  if (tagged.length === 0) return [];
  return [
    sql`insert or ignore into ${link_tags} (link_id, tag_id, link_created_at)
      select link.id, tag.value, link.created_at from ${newLinksWith(tagged, now)}, json_each(item.value, '$.tagIds') as tag`,
  ];
}

/**
 * The statement that makes new links findable by their words, for the end of the batch that inserts
 * them at `now`.
 */
export function indexNewLinks(
  newLinks: readonly {
    code: string;
    userId: string | null;
    title: string;
    target: string;
    note: string;
  }[],
  now: number,
): Statement[] {
  const listed = newLinks.filter(({ userId }) => userId !== null);
  if (listed.length === 0) return [];
  const words = listed.map((link) => ({
    code: link.code,
    userId: link.userId,
    words: wordsOfLink(link),
  }));
  return [
    sql`insert or ignore into ${link_words} (user_id, word, link_id)
      select link.user_id, word.value, link.id from ${newLinksWith(words, now)}, json_each(item.value, '$.words') as word`,
  ];
}
