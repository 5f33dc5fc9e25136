import { sql, type SQL } from 'drizzle-orm';
import { jsonRows, type Statement } from '#worker/db/batch.ts';
import { namesOfColumns, toColumnValues } from '#worker/db/link-settings.ts';
import { link_changes } from '#worker/db/schema-link-changes.ts';
import { hasKey, links } from '#worker/db/schema-links.ts';
import { idsAsJson } from '#worker/links/read/link-history.ts';
import { HISTORY, pickSettings } from '#worker/links/settings/link-settings.ts';
import type { ImportedState, NewLink } from './new-link.ts';

/** The statements that insert what an imported link has besides its row. */

/** An earlier code of a new link. The link's own spellings of a code cannot all be aliases. */
type EarlierCode = { code: string; earlier: string; isAlias: boolean };

export function earlierCodesOf({ code, imported }: NewLink): EarlierCode[] {
  const spellings = new Set([code.toLowerCase()]);
  return (imported?.earlierCodes ?? []).map((earlier) => {
    const isAlias = !spellings.has(earlier.toLowerCase());
    spellings.add(earlier.toLowerCase());
    return { code, earlier, isAlias };
  });
}

/** Returns the statement that stores the earlier codes of new links if `when` is true in SQL. */
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

/** Returns the statement that stores the history of new links if `when` is true in SQL. */
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
