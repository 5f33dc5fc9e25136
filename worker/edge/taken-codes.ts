import { sql, type SQL } from 'drizzle-orm';
import { DOMAIN_ID_LENGTH } from '#contract/codes/domain-key.ts';
import { hasKey, isAliasLike, links } from '#worker/db/schema-links.ts';
import { GENERATED_CODE_LENGTH } from './codes.ts';

/**
 * How many prefixes of one alias are looked up. A 7-character code has at most 254, so none of its
 * spellings is missed. The limit keeps the search for a longer alias short, even if someone stores
 * many links whose codes begin with its spellings.
 */
const BEGINNINGS_MAX = 256;

/** `d.`, the letters of the id, and a slash. */
const DOMAIN_PREFIX_LENGTH = DOMAIN_ID_LENGTH + 3;

/** The condition on a row of `links` under this name that makes it another link. */
type IsOther = (name: string) => SQL;

/**
 * True in SQL if another link has this code, or a spelling of it that may not exist beside it.
 * `isAlias` is true for a chosen code: generated codes may differ only by case.
 */
export const isTaken = (code: SQL, isOther: IsOther, isAlias: SQL = sql`1`): SQL =>
  sql`(exists (select 1 from ${links} as other where ${hasKey(code, 'other')} and ${isOther('other')})
    or ${isTakenIgnoringCase(code, isOther, isAlias)})`;

/**
 * True in SQL if another link has an alias that equals this code ignoring case or, for an alias,
 * any code that does.
 */
export const isTakenIgnoringCase = (code: SQL, isOther: IsOther, isAlias: SQL = sql`1`): SQL =>
  sql`(exists (select 1 from ${links} as other where ${isAliasLike(code, 'other')} and ${isOther('other')})
    or (${isAlias} and ${isSpelledAlike(code, isOther('spelled'))}))`;

/**
 * True in SQL if another link has a code that equals `alias`, an SQL expression, ignoring case.
 * `isOther` is the condition on that link, a row of `spelled`. Generated codes have no
 * case-insensitive index, because every index costs a written row for each link. Instead, the query
 * builds spellings letter by letter and drops each prefix that no code begins with: a few dozen
 * look-ups in the index of codes. The id of a domain has one spelling.
 */
const isSpelledAlike = (
  alias: SQL,
  isOther: SQL,
): SQL => sql`(length(${alias}) >= ${GENERATED_CODE_LENGTH} + length(${domainOf(alias)}) and exists (
  with recursive spelling(text) as (
    select ${domainOf(alias)} union select text || letter.value
    from spelling cross join json_each(json_array(
      lower(substr(${alias}, length(text) + 1, 1)), upper(substr(${alias}, length(text) + 1, 1)))) as letter
    where length(text) < length(${alias}) and exists (
      select 1 from ${links} as begun where begun.code >= text || letter.value and begun.code < text || letter.value || '~'
        and begun.released_at is null)
    limit ${BEGINNINGS_MAX})
  select 1 from spelling cross join ${links} as spelled on ${hasKey(sql`text`, 'spelled')}
  where length(text) = length(${alias}) and ${isOther}))`;

/** SQL for the part of a key before its code. */
const domainOf = (key: SQL): SQL =>
  sql`iif(substr(${key}, 2, 1) = '.', substr(${key}, 1, ${DOMAIN_PREFIX_LENGTH}), '')`;
