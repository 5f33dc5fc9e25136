import { sql, type SQL } from 'drizzle-orm';
import { hasKey } from '#worker/db/has-key.ts';
import { links } from '#worker/db/schema-links.ts';
import { GENERATED_CODE_LENGTH } from './codes.ts';

/**
 * Beginnings that are looked up for one alias. A code without a prefix has at most 254, so none is
 * missed. Somebody can store many links whose codes begin alike in every case, and each would make
 * the search for a longer alias wider.
 */
const BEGINNINGS_MAX = 256;

/**
 * In SQL, true if another link has a code that differs from `alias`, an expression, at most by
 * case. `isOther` is the condition on that link, a row of `spelled`. No index knows the case of
 * generated codes, because every index costs a written row for each link. So spellings are tried
 * letter by letter, the shortest first, and one that no code begins with is given up: a few dozen
 * look-ups in the index of codes.
 */
export const isSpelledAlike = (
  alias: SQL,
  isOther: SQL,
): SQL => sql`(length(${alias}) >= ${GENERATED_CODE_LENGTH} and exists (
  with recursive spelling(text) as (
    select '' union select text || letter.value
    from spelling cross join json_each(json_array(
      lower(substr(${alias}, length(text) + 1, 1)), upper(substr(${alias}, length(text) + 1, 1)))) as letter
    where length(text) < length(${alias}) and exists (
      select 1 from ${links} as begun where begun.code >= text || letter.value and begun.code < text || letter.value || '~'
        and begun.released_at is null)
    limit ${BEGINNINGS_MAX})
  select 1 from spelling cross join ${links} as spelled on ${hasKey(sql`text`, 'spelled')}
  where length(text) = length(${alias}) and ${isOther}))`;
