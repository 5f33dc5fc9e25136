import { sql, type SQL } from 'drizzle-orm';
import { jsonRows, type Statement } from '#worker/db/batch.ts';
import { namesOfColumns, toColumnValues } from '#worker/db/link-settings.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { hasKey, link_destinations, link_words, links } from '#worker/db/schema-links.ts';
import { link_tags } from '#worker/db/schema-tags.ts';
import { idsAsJson } from '#worker/links/read/link-history.ts';
import { destinationsOf } from '#worker/links/settings/destinations.ts';
import { HISTORY, pickSettings } from '#worker/links/settings/link-settings.ts';
import type { ImportedState, NewLink } from './new-link.ts';

/**
 * The statements that insert what a new link has besides its row. They follow the insert of the row
 * in its batch, and `when` is true in SQL if that has inserted it.
 */

/** An earlier code of a new link. Of several spellings of one code, only the first is an alias. */
type EarlierCode = { code: string; earlier: string; isAlias: boolean };

export function earlierCodesOf({ code, imported }: NewLink): EarlierCode[] {
  const spellings = new Set([code.toLowerCase()]);
  return (imported?.earlierCodes ?? []).map((earlier) => {
    const isAlias = !spellings.has(earlier.toLowerCase());
    spellings.add(earlier.toLowerCase());
    return { code, earlier, isAlias };
  });
}

export function insertEarlierCodes(
  newLinks: readonly NewLink[],
  now: number,
  when: SQL,
): Statement[] {
  // The latest one of a link gets the highest id (edge/earlier-codes.ts).
  const codes = newLinks.flatMap((link) => earlierCodesOf(link).toReversed());
  if (codes.length === 0) return [];
  return [
    sql`insert into ${links} (code, is_alias, target, target_host, status, version, created_at, updated_at, earlier_code_of)
      select item.earlier, item.isAlias, '', '', 'deleted', 1, ${now}, ${now}, link.id
      from ${jsonRows(['code', 'earlier', 'isAlias'], codes)} as item
      cross join ${links} as link on ${hasKey(sql`item.code`, 'link')} where ${when}`,
  ];
}

const COLUMNS = namesOfColumns(HISTORY);

export function insertHistory(newLinks: readonly NewLink[], when: SQL): Statement[] {
  const states = newLinks.flatMap(({ code, imported }) =>
    (imported?.history ?? []).map((state) => toRow(code, state)),
  );
  const [first] = states;
  if (first === undefined) return [];
  const names = Object.keys(first);
  return [
    sql`insert or ignore into ${link_changes} (link_id, at, target, status, code, tags, ${COLUMNS})
      select (select link.id from ${links} as link where ${hasKey(sql`item.ofLink`, 'link')}),
        at, target, status, code, tags, ${COLUMNS} from ${jsonRows(names, states)} as item where ${when}`,
  ];
}

const toRow = (
  ofLink: string,
  { at, code, target, status, tagIds, ...settings }: ImportedState,
): Record<string, unknown> => ({
  ofLink,
  at,
  code,
  target,
  status,
  tags: idsAsJson(tagIds),
  ...toColumnValues(pickSettings(settings, HISTORY)),
});

/** Stores the destinations besides the target, by which moderation finds the links. */
export function insertDestinations(newLinks: readonly NewLink[], when: SQL): Statement[] {
  const rows = newLinks.flatMap((link) =>
    destinationsOf(link).map(({ host, href }) => ({ code: link.code, host, href })),
  );
  if (rows.length === 0) return [];
  return [
    sql`insert or ignore into ${link_destinations} (link_id, host, href)
      select ${links}.id, item.host, item.href from ${jsonRows(['code', 'host', 'href'], rows)} as item
      cross join ${links} on ${links}.code = item.code where ${when}`,
  ];
}

/** Joins each of these items to the link that the batch inserted for it at `now`. */
const newLinksWith = <Name extends string>(
  list: Name,
  items: readonly ({ code: string; userId: string | null } & Record<Name, unknown>)[],
  now: number,
) =>
  sql`${jsonRows(['code', 'userId', list], items)} as item
    cross join ${links} as link on ${hasKey(sql`item.code`, 'link')}
    and link.user_id = item.userId and link.updated_at = ${now}`;

export function insertLinkTags(
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

export function insertLinkWords(
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
